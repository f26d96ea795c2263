/**
 * The {@code tls} plugin: whom the server is to encrypted clients. {@code TlsSetup} reads the directive, has the files read when the
 * block starts and looked at every few seconds after that, by the process's scheduler. Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.tls;

import org.jspecify.annotations.NullMarked;
