package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
    private static final Chapter UDP = new Chapter("udp", "One query", "How it is measured.", "Knot",
            List.of(new Chart("udp", "CPU time", "µs", Chart.Kind.BARS, List.of("CPU, µs"))), section -> "Outlook of " + section.part() + ".");
    private static final Chapter PROXY = new Chapter("proxy", "Proxy", "By hand.", "", List.of());

    @TempDir
    Path directory;

    private static Section section() {
        Samples samples = new Samples("udp");
        samples.about("measured", "2026-11-16");
        samples.add("CPU, µs", "cairn", 6);
        samples.add("CPU, µs", "Knot", 5);
        samples.add("queries/s", "cairn", 100_000);
        return samples.section();
    }

    @Test
    void aTableHasARowForEachServerAndARatioForCpuTimes() {
        assertThat(Results.table(section(), "Knot")).isEqualTo("""
                | server | CPU, µs | ratio to Knot | queries/s |
                |---|---|---|---|
                | cairn | 6 | 1.20 | 100,000 |
                | Knot | 5 | 1 |  |
                """);
    }

    @Test
    void aTableHasARowForEachSize() {
        Samples samples = new Samples("growth");
        samples.add("MB", "cairn", 1000, 100);
        samples.add("MB", "CoreDNS", 1000, 80);
        samples.add("MB", "cairn", 10_000, 110);
        assertThat(Results.table(samples.section(), "CoreDNS")).isEqualTo("""
                | server | services | MB |
                |---|---|---|
                | cairn | 1,000 | 100 |
                | CoreDNS | 1,000 | 80 |
                | cairn | 10,000 | 110 |
                """);
    }

    @Test
    void thePageHasWhatWasMeasuredAndSaysWhatWasNot() throws IOException {
        Figures figures = new Figures();
        figures.replace(section());
        Results.write(directory, figures, List.of(UDP, PROXY), List.of(new Aim("quick", "1.20", Aim.Verdict.MET), new Aim("small", "200 MB", Aim.Verdict.MISSED), new Aim("new", "", Aim.Verdict.MISSED)));
        String page = Files.readString(directory.resolve("results.md"));
        assertThat(page).contains("| quick | 1.20 | met |", "| small | 200 MB | **missed** |", "| new | not measured yet | |")
                .contains("## One query\n\nHow it is measured.\n\n| server |", "![CPU time](udp.svg)", "Outlook of udp.", "- measured: 2026-11-16")
                .contains("## Proxy\n\nBy hand.\n\nNot measured yet: `./gradlew bench -PbenchArgs=\"--only proxy\"`.");
        assertThat(Files.readString(directory.resolve("udp.svg"))).startsWith("<svg ");
        assertThat(Figures.read(directory.resolve("figures.tsv")).section("udp")).contains(section());
    }

    @Test
    void oneOverviewHasTheCpuTimesOfAllParts() throws IOException {
        Chapter ratios = new Chapter("udp", "One query", "", "Knot", List.of(new Chart("udp", "CPU", "times", Chart.Kind.RATIOS, List.of("CPU, µs"))));
        Figures figures = new Figures();
        figures.replace(section());
        Results.write(directory, figures, List.of(ratios, PROXY), List.of());
        assertThat(directory.resolve("overview.svg")).content().contains(">udp<", ">cairn<", ">Knot<", ">1<", ">0.83<");
        assertThat(directory.resolve("results.md")).content().contains("](overview.svg)");
        Results.write(directory, new Figures(), List.of(ratios, PROXY), List.of());
        assertThat(directory.resolve("overview.svg")).doesNotExist();
    }

    @Test
    void plotsWithoutFiguresAreTakenAway() throws IOException {
        Files.writeString(directory.resolve("udp.svg"), "old");
        Results.write(directory, new Figures(), List.of(UDP), List.of());
        assertThat(directory.resolve("udp.svg")).doesNotExist();
        assertThat(directory.resolve("results.md")).content().doesNotContain("udp.svg");
    }
}
