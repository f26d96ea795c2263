package dev.cairn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cairn.zone.NameMap;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A query costs no garbage, from the received bytes to the bytes to send. Counted by the JVM for this thread. A round is tens of thousands
 * of queries, and of several rounds the leanest must have taken exactly 0 bytes: what the JVM itself takes once on our thread (linking a call
 * site, coming back from a deoptimization) falls into some rounds, what a query takes falls into all of them, even if only one in thousands
 * takes it.
 */
class AllocationTest {
    private static final int QUERIES_PER_ROUND = 40_000;
    private static final int ROUNDS = 200; // far more than it takes to compile, even on a busy machine
    private static final WireName ZONE = WireName.parse("cluster.local");
    private static final RrSet SOA = Reply.set("cluster.local. 5 SOA ns.dns.cluster.local. hostmaster.cluster.local. 1 7200 1800 86400 5");
    private static final RrSet NODE_ADDRESS = Reply.set("a.web.svc.cluster.local. 5 A 10.0.0.1", "a.web.svc.cluster.local. 5 A 10.0.0.2");

    private static final byte[][] QUERIES = {
        Packet.ednsQuery("WEB.svc.Cluster.local.", 1).opt(1232, 0, 0x8000, 0, 10, 0, 2, 1, 2).toBytes(),
        Packet.query("web.svc.cluster.local.", 1).toBytes(),
        Packet.ednsQuery("nothing.svc.cluster.local.", 28).opt(1232, 0, 0).toBytes(),
        Packet.ednsQuery("_http._tcp.web.svc.cluster.local.", 33).opt(1232, 0, 0).toBytes(),
        Packet.query("www.example.org.", 1).toBytes(),
        Packet.query("big.svc.cluster.local.", 1).toBytes(),
        Packet.query("web.svc.cluster.local.", 1).cut(20).toBytes(),
    };

    private final NameMap<RrSet> zone = NameMap.copyOf(Map.of(
            WireName.parse("web.svc.cluster.local"),
            Reply.set("web.svc.cluster.local. 5 A 10.0.0.1", "web.svc.cluster.local. 5 A 10.0.0.2", "web.svc.cluster.local. 5 A 10.0.0.3"),
            WireName.parse("_http._tcp.web.svc.cluster.local"),
            Reply.set("_http._tcp.web.svc.cluster.local. 5 SRV 0 1 80 a.web.svc.cluster.local."),
            WireName.parse("big.svc.cluster.local"),
            Reply.set(IntStream.range(0, 100)
                    .mapToObj(i -> "big.svc.cluster.local. 5 A 10.0.0." + i).toArray(String[]::new))));
    private final QueryView query = new QueryView();
    private final Answer answer = new Answer();
    private final AnswerEncoder encoder = new AnswerEncoder();
    private final byte[] out = new byte[4096];
    private final byte[] option = {0, 4};
    private long sent;

    @Test
    void a_query_makes_no_garbage() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long leanest = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && leanest > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < QUERIES_PER_ROUND; i++) {
                handle(QUERIES[i % QUERIES.length], i);
            }
            leanest = Math.min(leanest, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(leanest).isZero();
        assertThat(sent).as("there were answers").isGreaterThan(ROUNDS);
    }

    /** The measure itself: one small array in a round does not go unseen. */
    @Test
    void the_count_sees_a_single_array() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        byte[] garbage = new byte[64];
        long taken = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(garbage).hasSize(64);
        assertThat(taken).isGreaterThanOrEqualTo(64);
    }

    private void handle(byte[] packet, int count) {
        System.arraycopy(packet, 0, query.buffer(packet.length), 0, packet.length);
        Verdict verdict = query.read(packet.length);
        answer.reset(query);
        if (verdict != Verdict.ANSWER) {
            answer.rcode(Rcode.FORMERR);
        } else if (!query.isWithin(ZONE)) {
            answer.rcode(Rcode.REFUSED);
            answer.addOption(15, option);
        } else {
            answer(count);
        }
        sent += encoder.encode(query, answer, out, query.udpSize());
    }

    private void answer(int count) {
        answer.set(HeaderFlag.AA);
        RrSet found = zone.get(query);
        if (found == null) {
            answer.rcode(Rcode.NXDOMAIN);
            answer.add(Answer.Section.AUTHORITY, SOA).overrideTtl(zone.getSuffix(query, 1) == null ? 5 : 6);
        } else {
            answer.addForQuestion(found).rotate(count % found.count());
            if (query.type() == DnsType.SRV) {
                answer.add(Answer.Section.ADDITIONAL, NODE_ADDRESS).rotate(count & 1);
            }
        }
    }
}
