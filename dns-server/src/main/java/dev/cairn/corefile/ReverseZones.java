package dev.cairn.corefile;

import java.net.Inet6Address;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reverse zones of networks: octets under {@code in-addr.arpa.} (RFC 1035, 3.5), nibbles under {@code ip6.arpa.} (RFC 3596, 2.5). */
final class ReverseZones {

    private static final Pattern IPV4 = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");

    private ReverseZones() {
    }

    /** The zones of a network; one between two zone cuts, such as {@code 10.0.0.0/15}, has several. Null if it is not a network. */
    static @Nullable List<String> of(String network) {
        int slash = network.indexOf('/');
        byte[] address = slash < 0 ? null : address(network.substring(0, slash));
        int prefix = slash < 0 ? -1 : number(network.substring(slash + 1));
        if (address == null || prefix < 0 || prefix > address.length * 8) {
            return null;
        }
        int digitBits = address.length == 4 ? 8 : 4;
        int digits = (prefix + digitBits - 1) / digitBits;
        int variants = 1 << (digits * digitBits - prefix);
        List<String> zones = new ArrayList<>(variants);
        for (int variant = 0; variant < variants; variant++) {
            zones.add(zone(address, digits, digitBits, variants, variant));
        }
        return zones;
    }

    /** Only the last digit varies: its host bits are replaced by the number of the variant. */
    private static String zone(byte[] address, int digits, int digitBits, int variants, int variant) {
        StringBuilder zone = new StringBuilder();
        for (int i = digits - 1; i >= 0; i--) {
            int digit = digit(address, i, digitBits);
            int value = i == digits - 1 ? (digit & -variants) + variant : digit;
            zone.append(digitBits == 8 ? Integer.toString(value) : Integer.toHexString(value)).append('.');
        }
        return zone.append(digitBits == 8 ? "in-addr.arpa." : "ip6.arpa.").toString();
    }

    private static int digit(byte[] address, int index, int digitBits) {
        return digitBits == 8 ? address[index] & 0xff : address[index / 2] >> (index % 2 == 0 ? 4 : 0) & 0xf;
    }

    /** An address in its usual spelling, or null. Names are never looked up. */
    static byte @Nullable [] address(String text) {
        if (IPV4.matcher(text).matches()) {
            return ipv4(text);
        }
        if (text.indexOf(':') < 0 || text.indexOf('%') >= 0 || text.startsWith("[")) {
            return null;
        }
        try {
            byte[] address = Inet6Address.ofLiteral(text).getAddress();
            return address.length == 16 ? address : mapped(address);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static byte @Nullable [] ipv4(String text) {
        byte[] address = new byte[4];
        int from = 0;
        for (int i = 0; i < 4; i++) {
            int dot = text.indexOf('.', from);
            int octet = number(text.substring(from, dot < 0 ? text.length() : dot));
            if (octet > 255) {
                return null;
            }
            address[i] = (byte) octet;
            from = dot + 1;
        }
        return address;
    }

    /** Java turns {@code ::ffff:a.b.c.d} into the IPv4 address; here it stays what was written. */
    private static byte[] mapped(byte[] ipv4) {
        byte[] address = new byte[16];
        address[10] = (byte) 0xff;
        address[11] = (byte) 0xff;
        System.arraycopy(ipv4, 0, address, 12, 4);
        return address;
    }

    private static int number(String text) {
        boolean digits = !text.isEmpty() && text.length() < 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Integer.parseInt(text) : -1;
    }
}
