package dev.cairn.plugin.cache;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.wire.Answer;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/** Stands where forward would: answers as told, at once or when told, and remembers what it was asked. */
final class Upstream implements Plugin {
    /** What to do with a question. */
    interface Script {
        Step reply(Exchange exchange);
    }

    final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    final BlockingQueue<Exchange> held = new LinkedBlockingQueue<>();
    private volatile Script script = exchange -> exchange.refuse(Rcode.REFUSED);
    private volatile boolean holding;
    private volatile boolean cacheable = true;

    @Override
    public String name() {
        return "upstream";
    }

    @Override
    public boolean cacheable() {
        return cacheable;
    }

    void cacheable(boolean on) {
        cacheable = on;
    }

    @Override
    public Step query(Exchange exchange) {
        asked.add(exchange.query().nameText() + " " + DnsType.toText(exchange.query().type()));
        if (holding) {
            held.add(exchange);
            return Step.LATER;
        }
        return script.reply(exchange);
    }

    /** Keeps questions until {@link #release}. */
    void hold() {
        holding = true;
    }

    /** Answers the question that has waited longest. */
    void release() throws InterruptedException {
        Exchange exchange = held.poll(2, TimeUnit.MINUTES);
        if (exchange == null) {
            throw new AssertionError("no question came");
        }
        exchange.resume(script.reply(exchange));
    }

    void goOn() {
        holding = false;
    }

    void reply(Script next) {
        script = next;
    }

    /** @param rows each a section (an, ns, ad) and a record as in a zone file, {@code an www.example.org. 300 IN A 10.0.0.1} */
    void reply(int rcode, String... rows) {
        reply(rcode, 0, rows);
    }

    /** @param flags header flags to set */
    void reply(int rcode, int flags, String... rows) {
        Map<String, List<byte[]>> data = new LinkedHashMap<>();
        Map<String, Record> heads = new LinkedHashMap<>();
        for (String row : rows) {
            Record record = parse(row.substring(3));
            String key = row.substring(0, 2) + record.getName() + record.getType();
            heads.putIfAbsent(key, record);
            data.computeIfAbsent(key, _ -> new ArrayList<>()).add(record.rdataToWireCanonical());
        }
        script = exchange -> {
            exchange.answer().rcode(rcode);
            exchange.answer().set(flags);
            heads.forEach((key, head) -> exchange.answer().add(section(key), RrSet.of(WireName.parse(head.getName().toString()),
                    head.getType(), head.getDClass(), (int) head.getTTL(), data.get(key))));
            return Step.ANSWERED;
        };
    }

    /** Answers each question with an address. */
    void replyToAll(int ttl) {
        script = exchange -> {
            WireName owner = WireName.of(exchange.query().name(), 0, exchange.query().nameLength());
            exchange.answer().set(HeaderFlag.RA);
            exchange.answer().add(Answer.Section.ANSWER, RrSet.of(owner, DnsType.A, 1, ttl, List.of(new byte[] {10, 0, 0, 1})));
            return Step.ANSWERED;
        };
    }

    private static Answer.Section section(String key) {
        return switch (key.substring(0, 2)) {
            case "an" -> Answer.Section.ANSWER;
            case "ns" -> Answer.Section.AUTHORITY;
            case "ad" -> Answer.Section.ADDITIONAL;
            default -> throw new IllegalArgumentException(key);
        };
    }

    private static Record parse(String row) {
        String[] words = row.split(" ", 5);
        try {
            return Record.fromString(Name.fromString(words[0]), Type.value(words[3]), 1, Long.parseLong(words[1]), words[4], Name.root);
        } catch (IOException e) {
            throw new IllegalArgumentException(row, e);
        }
    }
}
