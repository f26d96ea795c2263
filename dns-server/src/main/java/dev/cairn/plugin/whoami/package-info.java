/**
 * The {@code whoami} plugin: tells a client its own address, port and transport. {@code WhoamiSetup} reads the directive,
 * {@code WhoamiPlugin} answers. Stateless, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.whoami;

import org.jspecify.annotations.NullMarked;
