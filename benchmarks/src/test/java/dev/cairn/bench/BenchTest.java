package dev.cairn.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.bench.report.Aim;
import dev.cairn.bench.report.Chart;
import dev.cairn.bench.report.Figures;
import dev.cairn.bench.report.Results;
import dev.cairn.bench.report.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the parts are shown; none of them is run here. */
class BenchTest {
    private static final int MOST_BYTES = 30_000;

    @TempDir
    Path directory;

    @Test
    void everyPlotHasAFileOfItsOwnAndIsSmall() throws IOException {
        Figures figures = new Figures();
        for (Part part : Bench.PARTS) {
            Samples samples = new Samples(part.name());
            for (String server : List.of("cairn", "CoreDNS", "Knot")) {
                for (Chart chart : part.chapter().charts()) {
                    for (String measure : chart.measures()) {
                        for (int size : chart.kind() == Chart.Kind.LINES ? Plan.whole().sizes() : List.of(0)) {
                            samples.add(measure, server, size, 1234.5 * (size + server.length()));
                        }
                    }
                }
            }
            figures.replace(samples.section());
        }
        Results.write(directory, figures, Bench.PARTS.stream().map(Part::chapter).toList(), Aims.of(figures));
        List<String> plots = Bench.PARTS.stream().flatMap(part -> part.chapter().charts().stream()).map(chart -> chart.file() + ".svg").toList();
        assertThat(plots).doesNotHaveDuplicates().doesNotContain("overview.svg").allSatisfy(plot -> {
            assertThat(Files.size(directory.resolve(plot))).isLessThan(MOST_BYTES);
            assertThat(directory.resolve("results.md")).content().contains("](" + plot + ")");
        });
    }

    @Test
    void theWholeRunWithoutLongPartsIsPlannedForTwentyMinutes() {
        Plan plan = Plan.whole();
        List<Part> parts = Bench.PARTS.stream().filter(part -> !part.isLong()).toList();
        assertThat(Bench.seconds(parts, plan, 0).stream().mapToInt(seconds -> seconds).sum()).isBetween(5 * 60, 20 * 60);
        assertThat(Bench.seconds(parts, plan, 10_000).getFirst()).isLessThan(Bench.seconds(parts, plan, 0).getFirst());
        assertThat(Bench.seconds(parts, plan, 0).subList(1, parts.size())).isEqualTo(Bench.seconds(parts, plan, 10_000).subList(1, parts.size()));
    }

    @Test
    void aimsSayWhatWasReachedAndWhatWasNotMeasured() {
        Samples udp = new Samples(UdpPart.NAME);
        udp.add(Flood.CPU, "cairn", 6);
        udp.add(Flood.CPU, "Knot", 5);
        udp.add(Flood.CPU, "CoreDNS", 40);
        Samples memory = new Samples(MemoryPart.NAME);
        memory.add(MemoryPart.HOSTS, "cairn", 90);
        memory.add(MemoryPart.HOSTS, "CoreDNS", 53);
        memory.note(MemoryPart.LIMITED_PEAK, "cairn", MemoryPart.KILLED);
        Figures figures = new Figures();
        figures.replace(udp.section());
        figures.replace(memory.section());

        List<Aim> aims = Aims.of(figures);

        assertThat(aims).contains(
                new Aim("a cluster answer costs no more CPU time than Knot's", "1.20 (6 and 5 µs)", Aim.Verdict.MISSED),
                new Aim("a cluster answer costs at most a sixth of CoreDNS's", "0.15 (6 and 40 µs)", Aim.Verdict.MET),
                new Aim("at most 60 MB at rest with a hosts file", "90 MB; CoreDNS 53 MB", Aim.Verdict.MISSED),
                new Aim("at rest with a hosts file at most 1.5 times CoreDNS's memory", "1.70 (90 and 53 MB)", Aim.Verdict.MISSED),
                new Aim("lives in 170 MiB with 10,000 services while everything is listed again", "killed", Aim.Verdict.MISSED),
                new Aim("ready in 1.2 s with 10,000 services", "", Aim.Verdict.MISSED));
        assertThat(aims.stream().filter(aim -> !aim.reached().isEmpty())).hasSize(5);
    }

    @Test
    void whatIsMissedByLessThanTheOthersRoundsDifferIsToldApart() {
        Samples udp = new Samples(UdpPart.NAME);
        udp.add(Flood.CPU, "cairn", 6);
        udp.add(Flood.CPU, "Knot", 5);
        udp.add(Flood.CPU, "Knot", 5.5);
        udp.add(Flood.CPU, "Knot", 6);
        Samples cached = new Samples(ResolverPart.CACHED);
        cached.add(Latency.P99, "cairn", 0.3);
        for (double value : new double[] {0.1, 0.2, 0.3}) {
            cached.add(Latency.P99, "Unbound", value);
            cached.add(Latency.P99, "CoreDNS", 3 * value);
        }
        Figures figures = new Figures();
        figures.replace(udp.section());
        figures.replace(cached.section());

        assertThat(Aims.of(figures)).contains(
                new Aim("a cluster answer costs no more CPU time than Knot's", "1.09 (6 and 5.50 µs)", Aim.Verdict.CLOSE),
                new Aim("p99 of cached answers no worse than either's", "0.30 ms; CoreDNS 0.60 ms; Unbound 0.20 ms", Aim.Verdict.CLOSE));
        cached.add(Latency.P99, "cairn", 0.31);
        cached.add(Latency.P99, "cairn", 0.32);
        figures.replace(cached.section());
        assertThat(Aims.of(figures)).contains(
                new Aim("p99 of cached answers no worse than either's", "0.31 ms; CoreDNS 0.60 ms; Unbound 0.20 ms", Aim.Verdict.MISSED));
    }

    @Test
    void listsAreCountedForEachKind() {
        assertThat(MemoryPart.relists("""
                # TYPE cairn_kubernetes_relists_total counter
                cairn_kubernetes_relists_total{resource="endpointslices"} 1
                cairn_kubernetes_relists_total{resource="services"} 2
                """)).isEqualTo("endpointslices: 1, services: 2");
    }

    @Test
    void measuresOfOnePartAreToldApart() {
        assertThat(Flood.named(Flood.CPU, "DoT")).isEqualTo("CPU DoT, µs/query");
        assertThat(Flood.named(Flood.RATE, "DoT")).isEqualTo("queries/s DoT");
        assertThat(Flood.named(Flood.CPU, "")).isEqualTo(Flood.CPU);
    }

    @Test
    void versionsAreFoundInWhatProgramsPrint() {
        assertThat(Machine.version("Cairn-0.1.0\nlinux/amd64, java25, 2328247\n")).isEqualTo("0.1.0");
        assertThat(Machine.version("Kubernetes v1.36.3\n")).isEqualTo("1.36.3");
        assertThat(Machine.version("knotd (Knot DNS), version 3.2.6\n")).isEqualTo("3.2.6");
        assertThat(Machine.version("etcd Version: 3.6.16\nGo Version: go1.26\n")).isEqualTo("3.6.16");
        assertThat(Machine.version("  -s the server to query (default: 127.0.0.1)\nVersion 2.10.0\n")).isEqualTo("2.10.0");
        assertThat(Machine.version("none")).isEqualTo("?");
    }
}
