package dev.cairn.plugin.rewrite;

import dev.cairn.wire.DnsType;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The names in the data of records that rewriting knows: of CNAME, DNAME, MX, NAPTR, NS, PTR, SRV, and the primary server of SOA. */
final class RecordNames {
    private RecordNames() {}

    /** The set with the names in its data renamed; the same set if none is. */
    static RrSet rename(RrSet set, AnswerRule.Names names) {
        List<byte[]> data = new ArrayList<>(set.count());
        boolean changed = false;
        for (int i = 0; i < set.count(); i++) {
            byte[] before = set.data(i);
            byte[] after = rename(set.type(), before, names);
            changed |= !Arrays.equals(after, before);
            data.add(after);
        }
        return changed ? RrSet.of(set.owner(), set.type(), set.dnsClass(), set.ttl(), data) : set;
    }

    private static byte[] rename(int type, byte[] data, AnswerRule.Names names) {
        int at = nameAt(type, data);
        int end = at < 0 ? -1 : nameEnd(data, at);
        if (end < 0) {
            return data;
        }
        String renamed = names.rename(WireName.of(data, at, end - at).toString());
        if (renamed == null) {
            return data;
        }
        WireName name = AnswerChange.parse(renamed);
        byte[] changed = new byte[data.length - (end - at) + name.length()];
        System.arraycopy(data, 0, changed, 0, at);
        int after = name.copyTo(changed, at);
        System.arraycopy(data, end, changed, after, data.length - end);
        return changed;
    }

    /** Where the name starts; -1 if the type has none. */
    private static int nameAt(int type, byte[] data) {
        return switch (type) {
            case DnsType.CNAME, DnsType.DNAME, DnsType.NS, DnsType.PTR, DnsType.SOA -> 0;
            case DnsType.MX -> 2;
            case DnsType.SRV -> 6;
            case DnsType.NAPTR -> {
                int at = 4; // order and preference, then flags, services and the expression (RFC 3403 section 4.1)
                for (int i = 0; i < 3 && at < data.length; i++) {
                    at += 1 + (data[at] & 0xff);
                }
                yield at;
            }
            default -> -1;
        };
    }

    private static int nameEnd(byte[] data, int from) {
        int at = from;
        while (at < data.length && data[at] > 0 && data[at] <= WireName.MAX_LABEL) {
            at += 1 + data[at];
        }
        return at < data.length && data[at] == 0 ? at + 1 : -1;
    }
}
