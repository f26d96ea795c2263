package dev.cairn.listen.http;

import dev.cairn.wire.Bytes;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;

/** For how long HTTP caches may keep a reply (RFC 8484 section 5.1): as long as the record that lives shortest. */
final class MaxAge {
    /** For what should be asked again soon: errors, referrals, replies without records. */
    private static final int SHORT = 5;

    static final int LONGEST = 3600;
    private static final int HEADER = 12;

    private MaxAge() {}

    /** In seconds, of a reply that this server made. */
    static int of(byte[] reply, int length) {
        int rcode = Bytes.u16(reply, 2) & 0xf;
        int answers = Bytes.u16(reply, 6);
        int authority = Bytes.u16(reply, 8);
        int records = answers + authority + Bytes.u16(reply, 10);
        if ((rcode != Rcode.NOERROR && rcode != Rcode.NXDOMAIN) || (rcode == Rcode.NXDOMAIN && answers > 0)) {
            return SHORT;
        }
        boolean hasSoa = false;
        boolean hasNs = false;
        int counted = 0;
        long least = LONGEST;
        int at = HEADER;
        for (int i = 0; i < Bytes.u16(reply, 4); i++) {
            at = skipName(reply, at, length) + 4;
        }
        for (int i = 0; i < records && at < length; i++) {
            at = skipName(reply, at, length);
            if (at + 10 > length) {
                return SHORT;
            }
            int type = Bytes.u16(reply, at);
            boolean inAuthority = i >= answers && i < answers + authority;
            hasSoa |= inAuthority && type == DnsType.SOA;
            hasNs |= inAuthority && type == DnsType.NS;
            if (type != DnsType.OPT) {
                counted++;
                least = Math.min(least, (long) Bytes.u16(reply, at + 4) << 16 | Bytes.u16(reply, at + 6));
            }
            at += 10 + Bytes.u16(reply, at + 8);
        }
        boolean referral = rcode == Rcode.NOERROR && answers == 0 && hasNs && !hasSoa;
        return counted == 0 || referral ? SHORT : (int) least;
    }

    private static int skipName(byte[] reply, int from, int length) {
        int at = from;
        while (at < length) {
            int label = Bytes.u8(reply, at);
            if (label == 0) {
                return at + 1;
            }
            if (label > 63) {
                return at + 2; // a pointer ends the name
            }
            at += label + 1;
        }
        return length;
    }
}
