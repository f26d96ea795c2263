package dev.cairn.authority;

import dev.cairn.wire.IpAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses of other servers: {@code 1.2.3.4}, {@code 1.2.3.4:5300}, {@code 12:34::56}, {@code [12:34::56]:5300}. */
public final class PeerAddress {
    private static final int DEFAULT_PORT = 53;

    private PeerAddress() {}

    /**
     * Reads an address; port 53 if it has none. Names are not looked up.
     *
     * @throws IllegalArgumentException if the text is none; the message says what to write
     */
    public static InetSocketAddress parse(String text) {
        boolean bracketed = text.startsWith("[");
        int colon = text.lastIndexOf(':');
        boolean hasPort = bracketed ? colon > text.indexOf(']') : colon >= 0 && colon == text.indexOf(':');
        String host = hasPort ? text.substring(0, colon) : text;
        if (bracketed && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int scope = host.indexOf('%');
        if (IpAddress.parse(scope < 0 ? host : host.substring(0, scope)) == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not an IP address: write ADDRESS or ADDRESS:PORT"
                    + ", IPv6 with a port as [ADDRESS]:PORT");
        }
        String port = hasPort ? text.substring(colon + 1) : "" + DEFAULT_PORT;
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > 0xffff) {
            throw new IllegalArgumentException("\"" + text + "\" has no valid port: write a number from 1 to 65535 after the colon");
        }
        return new InetSocketAddress(InetAddress.ofLiteral(host), Integer.parseInt(port));
    }

    /** As it is written, {@code 1.2.3.4:53} or {@code [::1]:53}. */
    public static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
