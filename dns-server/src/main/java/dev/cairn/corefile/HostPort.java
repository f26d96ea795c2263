package dev.cairn.corefile;

import java.net.InetSocketAddress;

/** Addresses to listen on as Go writes them: {@code :8080} for all addresses, {@code localhost:8091}, {@code [::1]:9153}. */
public final class HostPort {
    private HostPort() {}

    /**
     * Reads an address. A host name is looked up; if it is unknown the result is unresolved, which shows when it is opened.
     *
     * @throws IllegalArgumentException if the text is none; the message says what to write
     */
    public static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an address with a port: write an IPv6 address as [" + host + "]:PORT");
        }
        if (colon < 0) {
            throw new IllegalArgumentException("\"" + text + "\" has no port: write "
                    + (text.chars().allMatch(Character::isDigit) ? ":" + text : text + ":PORT"));
        }
        int port = port(text, colon);
        InetSocketAddress address = host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        // All wildcards are one, so that directives that mean the same address find each other.
        boolean any = !address.isUnresolved() && address.getAddress().isAnyLocalAddress();
        return any ? new InetSocketAddress(port) : address;
    }

    private static int port(String text, int colon) {
        String digits = text.substring(colon + 1);
        try {
            int port = Integer.parseInt(digits);
            if (port >= 0 && port <= 0xffff && Character.isDigit(digits.charAt(0))) {
                return port;
            }
        } catch (NumberFormatException e) {
            // not a number is reported like a wrong one
        }
        throw new IllegalArgumentException("\"" + text + "\" has no valid port: write a number from 0 to 65535 after the colon");
    }
}
