package dev.cairn.corefile;

import dev.cairn.log.NearestWord;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads keys of server blocks, {@code [SCHEME://]ZONE[:PORT]}, and zone arguments of plugins; networks become their reverse zones. */
public final class ZoneKeys {

    private static final Pattern LIKE_NETWORK = Pattern.compile("[0-9.]+/[0-9]*|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*/.*");
    private static final int NO_PORT = -1;

    private record Parts(Transport transport, String zone, int port) {
    }

    private ZoneKeys() {
    }

    /** What a key stands for: one zone, or several for a network between zone cuts; none if it is wrong, which is reported. */
    public static List<ZoneKey> of(Token key, int defaultDnsPort, Problems problems) {
        Parts parts = split(key, problems);
        if (parts == null) {
            return List.of();
        }
        int usual = parts.transport() == Transport.DNS ? defaultDnsPort : parts.transport().port();
        int port = parts.port() == NO_PORT ? usual : parts.port();
        return names(parts.zone(), key, problems).stream().map(zone -> new ZoneKey(parts.transport(), zone, port)).toList();
    }

    /** The zones of a plugin's argument, normalized; a scheme or port is allowed and ignored, as CoreDNS does. */
    public static List<String> zones(Token zoneOrCidr, Problems problems) {
        Parts parts = split(zoneOrCidr, problems);
        return parts == null ? List.of() : names(parts.zone(), zoneOrCidr, problems);
    }

    /**
     * Reports zones that are served twice on the same port and transport, which is allowed only to blocks with a {@code view}, and zones
     * served both on all addresses and, in a block with {@code bind}, on some.
     */
    public static void reportDuplicates(List<ServerBlock> blocks, int defaultDnsPort, Problems problems) {
        ServedZones served = new ServedZones(problems);
        for (ServerBlock block : blocks) {
            for (Token key : block.keys()) {
                served.add(block, key, of(key, defaultDnsPort, new Problems()));
            }
        }
    }

    private static @Nullable Parts split(Token key, Problems problems) {
        String text = key.text();
        Transport transport = Transport.DNS;
        int scheme = text.indexOf("://");
        if (scheme >= 0) {
            Transport named = Transport.of(text.substring(0, scheme));
            if (named == null) {
                problems.error(key.at(), unknownScheme(text.substring(0, scheme)));
                return null;
            }
            transport = named;
            text = text.substring(scheme + 3);
        }
        int slash = text.indexOf('/');
        int colon = text.lastIndexOf(':');
        if (colon < 0 || colon < slash) {
            return new Parts(transport, text, NO_PORT);
        }
        String wrong = wrongPort(text, colon, slash);
        if (wrong != null) {
            problems.error(key.at(), wrong);
            return null;
        }
        return new Parts(transport, text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private static String unknownScheme(String scheme) {
        List<String> known = Arrays.stream(Transport.values()).map(Transport::scheme).toList();
        String nearest = NearestWord.of(scheme, known);
        return "unknown scheme \"" + scheme + "\": "
            + (nearest == null ? "write one of " + String.join(", ", known) : "did you mean " + nearest + "://");
    }

    private static @Nullable String wrongPort(String text, int colon, int slash) {
        if (slash < 0 && text.indexOf(':') < colon) {
            String address = text.startsWith("[") ? text.substring(1, Math.max(1, text.indexOf(']'))) : text;
            return "\"" + text + "\" is not a zone: " + (ReverseZones.address(address) == null ? "write ZONE or ZONE:PORT"
                : "write " + address + "/128 for the reverse zone of the address, or use the bind plugin to listen on it");
        }
        String port = text.substring(colon + 1);
        String zone = colon == 0 ? "." : text.substring(0, colon);
        if (port.isEmpty()) {
            return "no port after the colon of \"" + text + "\": write " + zone + ":53, or leave the colon out";
        }
        boolean digits = port.length() < 10 && port.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits || Integer.parseInt(port) > 65535) {
            return "bad port \"" + port + "\": write " + zone + ":PORT with a number from 1 to 65535";
        }
        return colon == 0 ? "no zone before the port: write .:" + port + " for the root zone" : null;
    }

    private static List<String> names(String zone, Token key, Problems problems) {
        List<String> reverse = ReverseZones.of(zone);
        if (reverse != null) {
            return reverse;
        }
        if (LIKE_NETWORK.matcher(zone).matches()) {
            problems.error(key.at(), "bad network \"" + zone
                + "\": write all of the address and the length of the prefix, such as 10.0.0.0/8 or 2001:db8::/32");
            return List.of();
        }
        String wrong = ZoneName.wrong(zone);
        if (wrong != null) {
            problems.error(key.at(), wrong);
            return List.of();
        }
        if (ReverseZones.address(zone) != null) {
            problems.warning(key.at(), "\"" + zone + "\" is taken for a domain name: write " + zone
                + "/32 for the reverse zone of the address, or use the bind plugin to listen on it");
        }
        return List.of(ZoneName.normalize(zone));
    }
}
