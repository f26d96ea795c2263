package dev.cairn.wire;

/** Where names stand in the data of the types whose names another server may have compressed (RFC 3597 section 4, RFC 1035 section 3.3). */
final class RdataNames {
    private static final int[] FIXED = new int[64];
    private static final int[] COUNT = new int[64];
    private static final int[] REST = new int[64];

    /** Anything may follow the names. */
    static final int ANY_REST = -1;

    static final int NAPTR = 35;

    static {
        names(0, 1, 0, DnsType.NS, 3, 4, DnsType.CNAME, 7, 8, 9, DnsType.PTR, 39); // MD, MF, MB, MG, MR, DNAME
        names(0, 2, 20, DnsType.SOA);
        names(0, 2, 0, 14, 17); // MINFO, RP
        names(2, 1, 0, DnsType.MX, 18, 21, 36); // AFSDB, RT, KX
        names(2, 2, 0, 26); // PX
        names(6, 1, 0, DnsType.SRV);
        names(18, 1, ANY_REST, 24); // SIG
        names(0, 1, ANY_REST, 30); // NXT
        names(4, 1, 0, NAPTR); // after three strings
    }

    private RdataNames() {}

    private static void names(int fixed, int count, int rest, int... types) {
        for (int type : types) {
            FIXED[type] = fixed;
            COUNT[type] = count;
            REST[type] = rest;
        }
    }

    /** How many names there are; 0 if data of the type is not looked into. */
    static int count(int type) {
        return type < COUNT.length ? COUNT[type] : 0;
    }

    /** The bytes before the first name; for NAPTR character strings follow them. */
    static int fixed(int type) {
        return FIXED[type];
    }

    /** The bytes after the last name, {@link #ANY_REST} for any number. */
    static int rest(int type) {
        return REST[type];
    }
}
