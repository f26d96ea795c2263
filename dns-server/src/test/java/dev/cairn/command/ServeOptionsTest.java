package dev.cairn.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The short way to read a command line comes to the same as the long one. */
class ServeOptionsTest {
    @ParameterizedTest
    @ValueSource(strings = {
        "",
        "-conf /etc/coredns/Corefile",
        "--conf Corefile -p 1053",
        "-dns.port 0 -pidfile /run/cairn.pid -quiet",
        "--dns.port 53 --pidfile cairn.pid --quiet",
        "-port 99999 -conf stdin",
        "--port 5 -conf a=b"
    })
    void plainLinesAreReadAsPicocliReadsThem(String line) {
        ServeOptions expected = new ServeOptions();
        new CommandLine(expected).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(words(line));
        assertThat(ServeOptions.plain(words(line))).usingRecursiveComparison().isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "-conf",
        "-conf -quiet",
        "-conf=Corefile",
        "-conf @file",
        "-conf a -conf b",
        "-p 53 -port 54",
        "-p x",
        "-p 123456",
        "--p 53",
        "-quiet -quiet",
        "Corefile",
        "serve -conf Corefile",
        "--manifests DIR",
        "-log-format json",
        "--udp-engine nio",
        "-version",
        "--help"
    })
    void anythingElseIsLeftToPicocli(String line) {
        assertThat(ServeOptions.plain(words(line))).isNull();
    }

    private static String[] words(String line) {
        return line.isEmpty() ? new String[0] : line.split(" ", -1);
    }
}
