/**
 * Brings plans into effect. {@code SyncLoop} hears of the cluster, plans what changed and hands it to a {@code Backend}: the first change
 * at once, those that come meanwhile together. What a backend could not apply is not lost; it is tried again. One thread owns model and
 * backend; listeners only put facts into its queue.
 */
@NullMarked
package dev.cairn.proxy.sync;

import org.jspecify.annotations.NullMarked;
