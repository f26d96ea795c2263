package dev.cairn.listen;

import dev.cairn.corefile.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Where to listen: what tells one listener from another.
 *
 * @param host an address literal, or empty for all addresses
 */
public record ListenAddress(Transport transport, String host, int port) {
    /** The form in which metrics and logs name a server: {@code dns://:53}, {@code dns://127.0.0.1:53}, {@code dns://[::1]:53}. */
    public String label() {
        return transport.scheme() + "://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /** Whether this is all addresses: no host, or the unspecified address of either family, which to Go means the same. */
    public boolean isWildcard() {
        return host.isEmpty() || host.equals("0.0.0.0") || host.equals("::");
    }

    /** Whether both can't be listened on: they are of the same protocol below, TCP or UDP, and one has an address of the other. */
    public boolean collidesWith(ListenAddress other) {
        boolean dns = transport == Transport.DNS || other.transport == Transport.DNS;
        boolean sameCarrier = dns || (transport == Transport.QUIC) == (other.transport == Transport.QUIC);
        return sameCarrier && port == other.port && (isWildcard() || other.isWildcard() || host.equals(other.host));
    }

    // Written out, since those of a record are linked when they are first called, which takes a start several milliseconds.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ListenAddress address && transport == address.transport && port == address.port && host.equals(address.host);
    }

    @Override
    public int hashCode() {
        return host.hashCode() + 31 * port;
    }

    InetSocketAddress socketAddress(int actualPort) {
        try {
            return isWildcard() ? new InetSocketAddress(actualPort) : new InetSocketAddress(InetAddress.getByName(host), actualPort);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address: " + host, e);
        }
    }
}
