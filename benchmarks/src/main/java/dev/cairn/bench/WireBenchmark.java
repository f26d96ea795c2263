package dev.cairn.bench;

import dev.cairn.bench.server.Packets;
import dev.cairn.wire.Answer;
import dev.cairn.wire.AnswerEncoder;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.Verdict;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NameMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What one query costs in our own code, without sockets: parse, look up, answer, and all three. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
public class WireBenchmark {
    private static final int QUERIES = 1024;

    /** How many names there are. */
    @Param({"10000", "100000"})
    public int names;

    private final QueryView query = new QueryView();
    private final Answer answer = new Answer();
    private final AnswerEncoder encoder = new AnswerEncoder();
    private final byte[] out = new byte[4096];
    private final byte[][] packets = new byte[QUERIES][];
    private NameMap<RrSet> map = NameMap.copyOf(Map.of());
    private int next;

    /** Makes the names and a shuffled set of queries in mixed case, with OPT. */
    @Setup
    public void prepare() {
        Map<WireName, RrSet> entries = new HashMap<>();
        for (int i = 0; i < names; i++) {
            WireName name = WireName.parse(name(i));
            entries.put(name, RrSet.of(name, DnsType.A, DnsClass.IN, 30, List.of(new byte[] {10, (byte) (i >> 16), (byte) (i >> 8), (byte) i})));
        }
        map = NameMap.copyOf(entries);
        for (int i = 0; i < QUERIES; i++) {
            packets[i] = Packets.query(i, name((int) ((i * 2654435761L) % names)).replace("svc", "SvC"), DnsType.A);
        }
    }

    private static String name(int i) {
        return "service-" + i + ".namespace-" + (i % 100) + ".svc.cluster.local";
    }

    private int load() {
        byte[] packet = packets[next++ & (QUERIES - 1)];
        System.arraycopy(packet, 0, query.buffer(packet.length), 0, packet.length);
        return packet.length;
    }

    /** Reads a query. */
    @Benchmark
    public Verdict parse() {
        return query.read(load());
    }

    /** Reads a query and finds its records. */
    @Benchmark
    public Object parseAndLookUp() {
        query.read(load());
        return map.get(query) != null;
    }

    /** Reads a query, finds its records and writes the reply. */
    @Benchmark
    public int parseLookUpAndAnswer() {
        query.read(load());
        RrSet found = map.get(query);
        answer.reset(query);
        if (found != null) {
            answer.addForQuestion(found);
        }
        return encoder.encode(query, answer, out, 1232);
    }
}
