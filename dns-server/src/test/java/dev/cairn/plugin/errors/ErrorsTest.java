package dev.cairn.plugin.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.log.Log;
import dev.cairn.log.RateLimit;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Rcode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/** A block in which nothing answers fails every query, which is an error to be told. */
class ErrorsTest {
    private static final String TEXT = "2 example.org. A: no plugin below answered";

    /** The lines about errors after this many failed queries and the end of the server. */
    private static List<String> lines(String options, int queries) throws Exception {
        TestServer server = TestServer.start(". {\n errors {\n " + options + "\n }\n}");
        try (server) {
            for (int i = 0; i < queries; i++) {
                assertThat(server.ask("Example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            }
        }
        return server.logLinesWith("plugin/errors").toList();
    }

    @Test
    void anErrorIsLoggedWithCodeNameAndType() throws Exception {
        TestServer server = TestServer.start(". {\n errors\n}");
        try (server) {
            server.ask("Example.org", Type.A);
            server.ask("x.example.net", Type.HTTPS);
        }
        assertThat(server.logLinesWith("plugin/errors")).satisfiesExactly(
                first -> assertThat(first).startsWith("[ERROR] plugin/errors: " + TEXT),
                second -> assertThat(second).startsWith("[ERROR] plugin/errors: 2 x.example.net. HTTPS: no plugin"));
    }

    @Test
    void theLineAboutTheQueryComesBeforeItsError() throws Exception {
        TestServer server = TestServer.start(". {\n errors\n log . {rcode}\n}");
        try (server) {
            server.ask("example.org", Type.A);
        }
        assertThat(server.log()).satisfiesExactly(
                query -> assertThat(query).isEqualTo("[INFO] SERVFAIL"),
                error -> assertThat(error).startsWith("[ERROR] plugin/errors: " + TEXT));
    }

    @Test
    void whatGoesWellIsNotLogged() throws Exception {
        TestServer server = TestServer.start(". {\n errors\n whoami\n}");
        try (server) {
            server.ask("example.org", Type.A);
        }
        assertThat(server.log()).isEmpty();
    }

    @Test
    void ofVeryManyErrorsSomeAreToldAndTheOthersCounted() throws Exception {
        AtomicLong clock = new AtomicLong();
        ErrorsPlugin plugin = new ErrorsPlugin(List.of(), new RateLimit(2, Duration.ofSeconds(1), clock::get));
        Message question = Message.newQuery(Record.newRecord(Name.fromString("example.org."), Type.A, DClass.IN));
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = Log.redirect(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (TestChain chain = new TestChain("", List.of(), plugin)) {
            for (int i = 0; i < 1000; i++) {
                assertThat(chain.ask(question).getRcode()).isEqualTo(Rcode.SERVFAIL);
            }
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            chain.ask(question);
        } finally {
            Log.redirect(before);
        }
        assertThat(log.toString(StandardCharsets.UTF_8).lines()).hasSize(3).allMatch(line -> line.contains(TEXT))
                .last().asString().endsWith(" (and 998 times more since the last such line)");
    }

    @Test
    void errorsThatAreAlikeAreToldByTheirNumberWhenTheServerStops() throws Exception {
        assertThat(lines("consolidate 1h \"^no plugin .*\" warning", 3))
                .containsExactly("[WARNING] plugin/errors: 3 errors like '^no plugin .*' occurred in last 1h0m0s");
    }

    @Test
    void theFirstMayBeShownAtOnce() throws Exception {
        assertThat(lines("consolidate 30s \"^no plugin\" info show_first", 3)).satisfiesExactly(
                first -> assertThat(first).startsWith("[INFO] plugin/errors: " + TEXT),
                last -> assertThat(last).isEqualTo("[INFO] plugin/errors: 3 errors like '^no plugin' occurred in last 30s"));
        assertThat(lines("consolidate 30s \"^no plugin\" show_first", 1)).singleElement().asString()
                .startsWith("[ERROR] plugin/errors: " + TEXT);
    }

    @Test
    void theFirstPatternThatMatchesTakesTheError() throws Exception {
        assertThat(lines("consolidate 5m \"timeout$\"\n consolidate 1m plugin\n consolidate 2m .*", 2))
                .containsExactly("[ERROR] plugin/errors: 2 errors like 'plugin' occurred in last 1m0s");
    }

    @Test
    void theNumberIsToldWhenThePeriodIsOver() throws Exception {
        try (TestServer server = TestServer.start(". {\n errors {\n consolidate 20ms .*\n }\n}")) {
            server.ask("example.org", Type.A);
            await().until(() -> server.log().contains("[ERROR] plugin/errors: 1 errors like '.*' occurred in last 20ms"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "errors file.log|errors go to standard output",
        "errors stdout more|write: errors",
        "errors {\\n consolidate 1m\\n }|write: consolidate DURATION REGEXP",
        "errors {\\n consolidate 1 x\\n }|has no unit",
        "errors {\\n consolidate 1m (\\n }|not a regular expression",
        "errors {\\n consolidate 1m x loud\\n }|'loud' is not a level",
        "errors {\\n consolidate 1m x show_first info\\n }|'show_first info' is not a level",
        "errors {\\n consolidate 1m x info error\\n }|'info error' is not a level",
        "errors {\\n stacktrace on\\n }|write: stacktrace",
        "errors {\\n stacktraces\\n }|did you mean stacktrace?",
        "errors\\n errors|only be used once per server block"
    })
    void mistakesAreToldWithTheWayOut(String directive, String part) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive.replace("\\n", "\n") + "\n whoami\n}"))
                .singleElement().asString().contains("plugin/errors: ").contains(part);
    }

    @Test
    void stdoutIsTakenAsTheOnlyPlaceThereIs() throws Exception {
        assertThat(TestServer.errorsOf(". {\n errors stdout\n whoami\n}")).isEmpty();
    }
}
