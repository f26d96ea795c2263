package dev.cairn.chain;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Who asks, whom, and by what. Addresses are bytes that are used again with the exchange. */
public abstract sealed class Parties permits Custody {
    private static final byte[] NONE = {0, 0, 0, 0};

    private byte[] clientAddress = NONE;
    private byte[] localAddress = NONE;

    /** Whether the addresses are not those of nobody, which are the same for all. */
    private boolean told;

    private byte addressLength = 4;
    private char clientPort;
    private char localPort;
    private int scope;
    private Protocol protocol = Protocol.UDP;
    private @Nullable Relay relay;
    private boolean encrypted;

    public final Protocol protocol() {
        return protocol;
    }

    /** 4 or 16: how many bytes of {@link #clientAddress} and {@link #localAddress} count. */
    public final int addressLength() {
        return addressLength;
    }

    public final byte[] clientAddress() {
        return clientAddress;
    }

    public final byte[] localAddress() {
        return localAddress;
    }

    public final int clientPort() {
        return clientPort;
    }

    public final int localPort() {
        return localPort;
    }

    /** The client's address as an object. Allocates: for logs and slow paths. */
    public final InetAddress client() {
        return toInetAddress(clientAddress);
    }

    /** The address the client sent to. Allocates: for logs and slow paths. */
    public final InetAddress local() {
        return toInetAddress(localAddress);
    }

    private InetAddress toInetAddress(byte[] address) {
        try {
            return InetAddress.getByAddress(Arrays.copyOf(address, addressLength));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    /** The load balancer that passed the query on, null if the client itself sent it. */
    public final @Nullable Relay relay() {
        return relay;
    }

    /** Says who asks; the two addresses have {@code length} bytes each, which are copied. */
    public final void from(Protocol by, byte[] client, int port, byte[] local, int toPort, int length) {
        if (!told || clientAddress.length < length) {
            told = true;
            clientAddress = new byte[length];
            localAddress = new byte[length];
        }
        protocol = by;
        addressLength = (byte) length;
        System.arraycopy(client, 0, clientAddress, 0, length);
        System.arraycopy(local, 0, localAddress, 0, length);
        clientPort = (char) port;
        localPort = (char) toPort;
        relay = null;
        encrypted = false;
    }

    /** Says that the client was named by a load balancer, to which the reply goes. To be called after {@link #from}. */
    public final void relayedBy(@Nullable Relay loadBalancer) {
        relay = loadBalancer;
    }

    /** Whether nobody on the way can read what is said. */
    public final boolean isEncrypted() {
        return encrypted;
    }

    /** Says whether it is. To be called after {@link #from}. */
    public final void encrypted(boolean unreadable) {
        encrypted = unreadable;
    }

    /** The interface a link-local client is on, 0 for others. */
    public final int scope() {
        return scope;
    }

    public final void scope(int interfaceIndex) {
        scope = interfaceIndex;
    }

    /** Between the same two as another, by what it is said to have come. */
    final void like(Parties other, Protocol by) {
        from(by, other.clientAddress, other.clientPort, other.localAddress, other.localPort, other.addressLength);
        scope = other.scope;
        encrypted = other.encrypted;
    }
}
