package dev.cairn.wire;

import java.net.Inet6Address;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Addresses as 4 or 16 bytes, read from their usual spelling. Names are never looked up. */
public final class IpAddress {
    private static final String HEX = "0123456789abcdef";
    private static final WireName IPV4_REVERSE = WireName.parse("in-addr.arpa.");
    private static final WireName IPV6_REVERSE = WireName.parse("ip6.arpa.");

    private IpAddress() {}

    /** The bytes of an address, null if the text is none. An IPv4-mapped IPv6 address comes out as the IPv4 address it stands for. */
    public static byte @Nullable [] parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);   // what it does not know becomes a question mark, which is in no address
        return parse(bytes, 0, bytes.length);
    }

    /** The same of a part of an array. */
    public static byte @Nullable [] parse(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == ':') {
                return ipv6(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
            }
        }
        return ipv4(bytes, from, to);
    }

    private static byte @Nullable [] ipv6(String text) {
        if (text.indexOf('%') >= 0 || text.startsWith("[")) {
            return null;
        }
        try {
            return Inet6Address.ofLiteral(text).getAddress();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Four decimal numbers; one with a leading zero is refused, since some read it as octal. */
    private static byte @Nullable [] ipv4(byte[] text, int from, int to) {
        byte[] address = new byte[4];
        int octet = 0;
        int digits = 0;
        int value = 0;
        for (int i = from; i <= to; i++) {
            byte c = i < to ? text[i] : (byte) '.';
            if (c == '.') {
                if (digits == 0 || octet == 4) {
                    return null;
                }
                address[octet++] = (byte) value;
                digits = 0;
                value = 0;
            } else if (c < '0' || c > '9' || (digits > 0 && value == 0) || value * 10 + c - '0' > 255) {
                return null;
            } else {
                value = value * 10 + c - '0';
                digits++;
            }
        }
        return octet == 4 ? address : null;
    }

    /** The name that PTR records of the address have (RFC 1035 section 3.5, RFC 3596 section 2.5). */
    public static WireName reverseName(byte[] address) {
        WireName suffix = address.length == 4 ? IPV4_REVERSE : IPV6_REVERSE;
        byte[] name = new byte[4 * address.length + suffix.length()];
        int at = 0;
        for (int i = address.length - 1; i >= 0; i--) {
            at = address.length == 4 ? putDecimal(name, at, address[i] & 0xff) : putDigit(name, putDigit(name, at, address[i]), address[i] >> 4);
        }
        return WireName.of(name, 0, suffix.copyTo(name, at));
    }

    private static int putDecimal(byte[] name, int at, int octet) {
        int length = octet >= 100 ? 3 : octet >= 10 ? 2 : 1;
        name[at] = (byte) length;
        int rest = octet;
        for (int i = at + length; i > at; i--) {
            name[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return at + length + 1;
    }

    private static int putDigit(byte[] name, int at, int bits) {
        name[at] = 1;
        name[at + 1] = (byte) HEX.charAt(bits & 0xf);
        return at + 2;
    }
}
