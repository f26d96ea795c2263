package dev.cairn.plugin.forward;

import dev.cairn.upstream.Upstream.Scheme;
import dev.cairn.wire.IpAddress;
import dev.cairn.wire.WireName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * What a {@code TO} of the directive says.
 *
 * @param host an address, a file's path or a name
 * @param zone what stands after a percent sign: the server name of TLS, or the interface of a link-local address
 */
record Destination(Scheme scheme, Kind kind, String host, int port, String zone) {
    /** What stands for the server. */
    enum Kind {
        ADDRESS,
        FILE,
        NAME
    }

    private static final Map<String, Scheme> SCHEMES =
            Map.of("dns", Scheme.DNS, "tls", Scheme.TLS, "https", Scheme.HTTPS, "quic", Scheme.QUIC);

    static int defaultPort(Scheme scheme) {
        return switch (scheme) {
            case DNS -> 53;
            case TLS, QUIC -> 853;
            case HTTPS -> 443;
        };
    }

    /**
     * Reads {@code [SCHEME://]HOST[%ZONE][:PORT]} or a path.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    static Destination parse(String text, Function<String, Path> files) {
        int end = text.indexOf("://");
        Scheme scheme = end < 0 ? Scheme.DNS : SCHEMES.get(text.substring(0, end).toLowerCase(Locale.ROOT));
        if (scheme == null) {
            throw new IllegalArgumentException("'" + text.substring(0, end) + "' is not supported as a destination protocol: write "
                    + "dns://, tls://, https:// or quic://");
        }
        String rest = end < 0 ? text : text.substring(end + 3);
        if (scheme == Scheme.HTTPS && rest.indexOf('/') >= 0) {
            throw new IllegalArgumentException("'" + text + "' has a path: leave it out, /dns-query is always used");
        }
        if (scheme == Scheme.DNS && (rest.indexOf('/') >= 0 || Files.isRegularFile(files.apply(rest)))) {
            return new Destination(scheme, Kind.FILE, files.apply(rest).toString(), 53, "");
        }
        return host(text, scheme, rest);
    }

    private static Destination host(String text, Scheme scheme, String rest) {
        String address = rest;
        String zone = "";
        int percent = rest.lastIndexOf('%');
        if (percent >= 0) {
            zone = rest.substring(percent + 1);
            int colon = zone.lastIndexOf(':');
            String port = colon < 0 ? "" : zone.substring(colon);
            zone = colon < 0 ? zone : zone.substring(0, colon);
            zone = zone.endsWith("]") ? zone.substring(0, zone.length() - 1) : zone;
            address = rest.substring(0, percent) + (rest.startsWith("[") ? "]" : "") + port;
        }
        int bracket = address.indexOf(']');
        int colon = address.lastIndexOf(':');
        boolean bare = !address.startsWith("[") && address.indexOf(':') != colon; // an IPv6 address without brackets has no port
        int split = bare || colon < bracket ? -1 : colon;
        String host = split < 0 ? address : address.substring(0, split);
        host = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        int port = split < 0 ? defaultPort(scheme) : port(text, address.substring(split + 1));
        if (IpAddress.parse(host) != null) {
            return new Destination(scheme, Kind.ADDRESS, host, port, zone);
        }
        try {
            WireName.parse(host);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address, a file or a name: write ADDRESS[:PORT],"
                    + " [ADDRESS]:PORT or a path", e);
        }
        if (host.matches("[0-9.]+")) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address: four numbers from 0 to 255 make one");
        }
        return new Destination(scheme, Kind.NAME, host, port, zone);
    }

    /** Written out here: what Java makes for records as they are first asked is not in the AOT cache, and takes 10 ms of a start. */
    @Override
    public String toString() {
        return scheme + "://" + host + "%" + zone + ":" + port;
    }

    private static int port(String text, String digits) {
        if (digits.matches("[0-9]{1,5}")) {
            int port = Integer.parseInt(digits);
            if (port > 0 && port <= 0xffff) {
                return port;
            }
        }
        throw new IllegalArgumentException("'" + text + "' has no valid port: write a number from 1 to 65535 after the last colon");
    }
}
