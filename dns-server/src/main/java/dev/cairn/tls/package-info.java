/**
 * Who a server is to its encrypted clients, and to the servers that it asks.
 * {@code TlsFiles} names the files, reads them at start and again when they change, and
 * publishes a {@code TlsIdentity}; {@code Pem} and {@code PrivateKeys} read the formats that such files have. Knows the JDK only: which
 * engine speaks TLS is the listeners' affair. Identities are immutable; files are looked at by one thread.
 */
@NullMarked
package dev.cairn.tls;

import org.jspecify.annotations.NullMarked;
