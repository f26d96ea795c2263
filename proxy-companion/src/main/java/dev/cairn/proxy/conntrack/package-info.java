/**
 * The kernel's connection tracker, spoken to over netlink. {@code FlowTable} lists and deletes flows, {@code FlowCleaner} deletes those
 * that lead to endpoints that are gone. Used by the sync loop's thread.
 */
@NullMarked
package dev.cairn.proxy.conntrack;

import org.jspecify.annotations.NullMarked;
