package dev.cairn.wire;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Record types by number (IANA registry), with the mnemonics that logs, metrics and configuration use. */
public final class DnsType {
    public static final int A = 1;
    public static final int NS = 2;
    public static final int CNAME = 5;
    public static final int SOA = 6;
    public static final int PTR = 12;
    public static final int HINFO = 13;
    public static final int MX = 15;
    public static final int TXT = 16;
    public static final int AAAA = 28;
    public static final int SRV = 33;
    public static final int NAPTR = 35;
    public static final int DNAME = 39;
    public static final int OPT = 41;
    public static final int DS = 43;
    public static final int RRSIG = 46;
    public static final int NSEC = 47;
    public static final int NSEC3 = 50;
    public static final int NSEC3PARAM = 51;
    public static final int SVCB = 64;
    public static final int HTTPS = 65;
    public static final int TSIG = 250;
    public static final int IXFR = 251;
    public static final int AXFR = 252;
    public static final int ANY = 255;

    private static final String[] NAMES = new String[260];
    private static final Map<String, Integer> NUMBERS = new HashMap<>();

    static {
        name(A, "A", NS, "NS", 3, "MD", 4, "MF", CNAME, "CNAME", SOA, "SOA", 7, "MB", 8, "MG", 9, "MR", 10, "NULL", PTR, "PTR", HINFO,
                "HINFO", 14, "MINFO", MX, "MX", TXT, "TXT", 17, "RP", 18, "AFSDB", 19, "X25", 20, "ISDN", 21, "RT", 23, "NSAP-PTR", 24, "SIG",
                25, "KEY", 26, "PX", 27, "GPOS", AAAA, "AAAA", 29, "LOC", 30, "NXT", 31, "EID", 32, "NIMLOC", SRV, "SRV", 34, "ATMA", NAPTR,
                "NAPTR", 36, "KX", 37, "CERT", DNAME, "DNAME", OPT, "OPT", 42, "APL", DS, "DS", 44, "SSHFP", 45, "IPSECKEY", RRSIG, "RRSIG",
                NSEC, "NSEC", 48, "DNSKEY", 49, "DHCID", NSEC3, "NSEC3", NSEC3PARAM, "NSEC3PARAM", 52, "TLSA", 53, "SMIMEA", 55, "HIP", 56,
                "NINFO", 57, "RKEY", 58, "TALINK", 59, "CDS", 60, "CDNSKEY", 61, "OPENPGPKEY", 62, "CSYNC", 63, "ZONEMD", SVCB, "SVCB", HTTPS,
                "HTTPS", 99, "SPF", 100, "UINFO", 101, "UID", 102, "GID", 103, "UNSPEC", 104, "NID", 105, "L32", 106, "L64", 107, "LP", 108,
                "EUI48", 109, "EUI64", 249, "TKEY", TSIG, "TSIG", IXFR, "IXFR", AXFR, "AXFR", 253, "MAILB", 254, "MAILA", ANY, "ANY", 256,
                "URI", 257, "CAA", 258, "AVC", 259, "DOA");
    }

    private DnsType() {}

    /** The mnemonic, or {@code TYPE123} for one that has none here (RFC 3597 section 5). */
    public static String toText(int type) {
        return type >= 0 && type < NAMES.length && !NAMES[type].isEmpty() ? NAMES[type] : "TYPE" + type;
    }

    /** The number of a mnemonic or {@code TYPE123}, in any case; -1 if there is none. */
    public static int fromText(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        Integer known = NUMBERS.get(upper);
        if (known != null) {
            return known;
        }
        if (!upper.matches("TYPE[0-9]{1,5}")) {
            return -1;
        }
        int number = Integer.parseInt(upper.substring(4));
        return number <= 0xffff ? number : -1;
    }

    private static void name(Object... pairs) {
        Arrays.fill(NAMES, "");
        for (int i = 0; i < pairs.length; i += 2) {
            NAMES[(Integer) pairs[i]] = (String) pairs[i + 1];
            NUMBERS.put((String) pairs[i + 1], (Integer) pairs[i]);
        }
    }
}
