package dev.cairn.plugin.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.plugin.PluginSetup;
import dev.cairn.server.PluginList;
import dev.cairn.testing.TestServer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheSetupTest {
    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("cache 0", "\"0\" is not a whole number of at least 1"),
                Arguments.of("cache -5 example.org", "\"-5\" is not a whole number of at least 1"),
                Arguments.of("cache 30\n cache 40", "can only be used once per server block"),
                Arguments.of("cache {\n success\n}", "write: success CAPACITY [TTL] [MINTTL]"),
                Arguments.of("cache {\n success many\n}", "\"many\" is not a whole number"),
                Arguments.of("cache {\n denial 10 0\n}", "\"0\" is not a whole number of at least 1"),
                Arguments.of("cache {\n denial 10 10 -1\n}", "\"-1\" is not a whole number of at least 0"),
                Arguments.of("cache {\n prefetch\n}", "write: prefetch AMOUNT [[DURATION] [PERCENTAGE%]]"),
                Arguments.of("cache {\n prefetch -1\n}", "\"-1\" is not a whole number"),
                Arguments.of("cache {\n prefetch 1 1m 20\n}", "with the percent sign"),
                Arguments.of("cache {\n prefetch 1 1m 95%\n}", "from 10% to 90%"),
                Arguments.of("cache {\n prefetch 1 soon\n}", "soon"),
                Arguments.of("cache {\n serve_stale -1h\n}", "out of range"),
                Arguments.of("cache {\n serve_stale 1h later\n}", "known: immediate, verify"),
                Arguments.of("cache {\n serve_stale 1h immediate 30s 30s 1s\n}", "write: serve_stale"),
                Arguments.of("cache {\n serve_stale 1h verify 1s 30s 30s 1s\n}", "write: serve_stale"),
                Arguments.of("cache {\n serve_stale 1h immediate 1500ms\n}", "whole number of seconds"),
                Arguments.of("cache {\n serve_stale 1h immediate 30s 6m\n}", "out of range"),
                Arguments.of("cache {\n serve_stale_policy prefer_positive\n}", "requires serve_stale"),
                Arguments.of("cache {\n serve_stale\n serve_stale_policy newest\n}", "known: prefer_positive"),
                Arguments.of("cache {\n serve_stale\n serve_stale_policy prefer_positive\n serve_stale_policy prefer_positive\n}", "once"),
                Arguments.of("cache {\n servfail 6m\n}", "out of range: write a duration from 0s to 5m0s"),
                Arguments.of("cache {\n servfail\n}", "write: servfail DURATION"),
                Arguments.of("cache {\n disable\n}", "write: disable success|denial [ZONES...]"),
                Arguments.of("cache {\n disable all\n}", "known: denial, success"),
                Arguments.of("cache {\n keepttl 1\n}", "write: keepttl"),
                Arguments.of("cache {\n succes 10\n}", "did you mean success?"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void saysWhatIsWrong(String directive, String message) throws Exception {
        List<String> errors = TestServer.errorsOf("example.org {\n" + directive + "\n whoami\n}");
        assertThat(errors).hasSize(1).first().asString().contains("plugin/cache").contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "cache", "cache 30", "cache example.org", "cache 30 example.org 10.0.0.0/8", "cache {\n success 0\n}",
        "cache 900 {\n denial 9984 30\n}", "cache {\n success 9984 30 0\n denial 9984 5\n}", "cache {\n prefetch 10\n}",
        "cache {\n prefetch 10 1m 20%\n}", "cache {\n serve_stale\n}", "cache {\n serve_stale 2h VERIFY\n}",
        "cache {\n serve_stale 1h verify 100ms 30s 30s\n}", "cache {\n serve_stale 1h immediate 30s 30s\n}",
        "cache {\n serve_stale_policy prefer_positive\n serve_stale 0s\n}",
        "cache 30 {\n disable success cluster.local\n disable denial cluster.local\n}", "cache {\n disable denial\n servfail 0\n keepttl\n}"
    })
    void acceptsWhatCoreDnsAccepts(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n" + directive + "\n whoami\n}")).isEmpty();
    }

    @Test
    void standsBelowAllThatAnswerFromMemoryAndAboveForward() {
        List<String> names = PluginList.names();
        List<String> memory = List.of("template", "hosts", "k8s_external", "kubernetes", "file", "auto", "secondary", "loop", "loadbalance");
        assertThat(memory).allSatisfy(name -> assertThat(names.indexOf(name)).isLessThan(names.indexOf("cache")));
        assertThat(names.indexOf("cache")).isLessThan(names.indexOf("forward"));
        assertThat(PluginList.inOrder()).extracting(PluginSetup::name).contains("cache");
    }
}
