package dev.cairn.testing;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TTL;
import org.xbill.DNS.Tokenizer;
import org.xbill.DNS.Type;

/** A plugin for tests that answers from rows of a zone file, follows aliases within them, and keeps the packets it was asked with. */
public final class ZoneRows implements Plugin {
    private static final WireName PRIMARY = WireName.parse("ns.test.");

    private final List<Record> rows;
    private final List<byte[]> packets = new CopyOnWriteArrayList<>();

    /** @param rows lines of {@code NAME TTL TYPE DATA} */
    public ZoneRows(String rows) {
        this.rows = rows.lines().filter(line -> !line.isBlank()).map(ZoneRows::parse).toList();
    }

    private static Record parse(String row) {
        String[] words = row.strip().split("\\s+", 4);
        try {
            return Record.fromString(Name.fromString(words[0], Name.root), Type.value(words[2]), DClass.IN, TTL.parse(words[1], true),
                    new Tokenizer(words[3]), Name.root);
        } catch (java.io.IOException e) {
            throw new IllegalArgumentException(row, e);
        }
    }

    /** The packets of the questions so far. */
    public List<byte[]> packets() {
        return packets;
    }

    @Override
    public String name() {
        return "rows";
    }

    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        packets.add(Arrays.copyOf(query.message(), query.length()));
        WireName name = WireName.of(query.name(), 0, query.nameLength());
        boolean known = false;
        boolean first = true;
        for (int hops = 0; hops < 8; hops++) {
            WireName next = null;
            for (Record row : rows) {
                boolean same = wire(row.getName()).equals(name);
                known |= same;
                if (same && (row.getType() == query.type() || row.getType() == Type.CNAME)) {
                    RrSet set = Rdata.single(name, row.getType(), (int) row.getTTL(), row.rdataToWireCanonical());
                    // as the cluster's and hosts' answers do it
                    exchange.answer().add(Section.ANSWER, set);
                    if (first) {
                        exchange.answer().remove(Section.ANSWER);
                        exchange.answer().addForQuestion(set);
                    }
                    first = false;
                    next = row.getType() == Type.CNAME ? wire(((org.xbill.DNS.CNAMERecord) row).getTarget()) : next;
                }
            }
            if (next == null) {
                break;
            }
            name = next;
        }
        if (!exchange.answer().has(Section.ANSWER)) {
            exchange.answer().rcode(known ? Rcode.NOERROR : Rcode.NXDOMAIN);
            exchange.answer().add(Section.AUTHORITY, Rdata.single(WireName.ROOT, DnsType.SOA, 60, Rdata.soa(PRIMARY, PRIMARY, 1, 60, 60, 60, 60)));
        }
        return Step.ANSWERED;
    }

    private static WireName wire(Name name) {
        byte[] bytes = name.toWireCanonical();
        return WireName.of(bytes, 0, bytes.length);
    }
}
