package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresTest {
    private static final String CPU = "CPU, µs/query";

    @TempDir
    Path directory;

    private static Samples samples(String part, double... values) {
        Samples samples = new Samples(part);
        samples.about("measured", "2026-11-16");
        for (double value : values) {
            samples.add(CPU, "cairn", value);
        }
        return samples;
    }

    @Test
    void aFigureIsTheMedianWithTheLeastAndTheMost() {
        Figure figure = samples("udp", 9, 7, 8).section().figure(CPU, "cairn").orElseThrow();
        assertThat(figure).isEqualTo(new Figure(CPU, "cairn", 0, 8, 7, 9, ""));
        assertThat(figure.text()).isEqualTo("8 (7-9)");
        assertThat(samples("udp", 7, 8).section().value(CPU, "cairn")).isEqualTo(7.5);
        assertThat(samples("udp", 7.5).section().figure(CPU, "cairn").orElseThrow().text()).isEqualTo("7.50");
    }

    @Test
    void aNoteStandsWhereThereIsNoNumber() {
        Samples samples = samples("memory");
        samples.note("most, MB", "CoreDNS", "killed");
        Figure figure = samples.section().figure("most, MB", "CoreDNS").orElseThrow();
        assertThat(figure.text()).isEqualTo("killed");
        assertThat(figure.value()).isNaN();
    }

    @Test
    void figuresOfAnotherProcessAreTakenOverAsTheyAre() {
        Samples theirs = samples("proxy", 9, 7, 8);
        theirs.add("MB", "cairn", 100);
        theirs.note("MB", "CoreDNS", "killed");
        Samples ours = new Samples("proxy");
        theirs.section().figures().forEach(ours::add);
        assertThat(ours.section().figures()).isEqualTo(theirs.section().figures());
    }

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        Samples samples = samples("udp", 7.123456789, 8);
        samples.add("MB", "cairn", 1000, 100);
        samples.note("MB", "CoreDNS", "killed\tby\nthe kernel");
        Figures figures = new Figures();
        figures.replace(samples.section());
        Path file = directory.resolve("figures.tsv");
        figures.write(file);

        Section read = Figures.read(file).section("udp").orElseThrow();

        assertThat(read.about()).containsExactlyEntriesOf(samples.section().about());
        assertThat(read.figures()).startsWith(samples.section().figures().get(0), samples.section().figures().get(1));
        assertThat(read.figures().getLast().note()).isEqualTo("killed by the kernel");
    }

    @Test
    void aPartMeasuredAgainReplacesOnlyItself() throws IOException {
        Path file = directory.resolve("figures.tsv");
        Figures first = new Figures();
        first.replace(samples("udp", 1).section());
        first.replace(samples("cached", 2).section());
        first.write(file);

        Figures second = Figures.read(file);
        second.replace(samples("cached", 3).section());
        second.write(file);

        assertThat(Figures.read(file).value("udp", CPU, "cairn")).isEqualTo(1);
        assertThat(Figures.read(file).value("cached", CPU, "cairn")).isEqualTo(3);
        assertThat(Figures.read(file).value("proxy", CPU, "cairn")).isNaN();
    }

    @Test
    void noFileIsNoFiguresAndAnotherFileIsRefused() throws IOException {
        assertThat(Figures.read(directory.resolve("none")).section("udp")).isEmpty();
        Path other = Files.writeString(directory.resolve("other"), "# a comment\nudp\tfigure\tCPU\n");
        assertThatThrownBy(() -> Figures.read(other)).isInstanceOf(IOException.class).hasMessageContaining("other:2: is no line of figures");
        Path broken = Files.writeString(directory.resolve("broken"), "udp\tfigure\tCPU\tcairn\t0\tmany\t1\t1\t\n");
        assertThatThrownBy(() -> Figures.read(broken)).isInstanceOf(IOException.class).hasMessageContaining("broken:1:").hasMessageContaining("many");
    }
}
