package dev.cairn.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentsTest {
    private static Arguments parse(String line) {
        List<String> args = new ArrayList<>(List.of("bin/cairn", "bin/cairn-proxy", "docs/performance", "build/performance"));
        if (!line.isEmpty()) {
            args.addAll(List.of(line.split(" ")));
        }
        return Arguments.parse(args, Bench.PARTS);
    }

    @Test
    void withoutOptionsEverythingButTheLongPartsIsMeasuredForTheDocumentation() {
        Arguments arguments = parse("");
        assertThat(arguments.parts()).containsExactly("udp", "latency", "start", "events", "memory", "cached", "forwarded", "transports");
        assertThat(arguments.out()).isEqualTo(Path.of("docs/performance"));
        assertThat(arguments.quick()).isFalse();
        assertThat(arguments.cairn()).isEqualTo(Path.of("bin/cairn"));
        assertThat(arguments.proxy()).isEqualTo(Path.of("bin/cairn-proxy"));
    }

    @Test
    void quickFiguresDoNotGetIntoTheDocumentation() {
        assertThat(parse("--quick").out()).isEqualTo(Path.of("build/performance"));
        assertThat(parse("--quick --out elsewhere").out()).isEqualTo(Path.of("elsewhere"));
    }

    @Test
    void fullAddsTheLongParts() {
        assertThat(parse("--full").parts()).endsWith("outage", "growth", "proxy").hasSize(Bench.PARTS.size());
    }

    @Test
    void onlyChoosesAmongAll() {
        assertThat(parse("--only proxy,udp").parts()).containsExactly("udp", "proxy");
        assertThat(parse("--only proxy --only udp --full").parts()).containsExactly("udp", "proxy");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--fast | what is '--fast'? There are --quick, --full, --only, --out and --help",
        "udp | what is 'udp'?",
        "--only | --only needs a value",
        "--only --quick | --only needs a value",
        "--out | --out needs a value",
        "--only udp,tcp | there is no part 'tcp'; there are udp, latency, start",
    })
    void whatIsNotKnownIsRefusedInALine(String line, String message) {
        assertThatThrownBy(() -> parse(line)).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(message);
    }

    @Test
    void helpTellsAllParts() {
        assertThat(parse("--help").help()).isTrue();
        assertThat(Bench.help()).contains("--only").contains(Bench.PARTS.stream().map(part -> "\n  " + part.name() + " ").toList());
    }
}
