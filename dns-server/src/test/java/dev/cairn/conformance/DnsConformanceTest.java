package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every case of {@code dns.yaml} is a test over UDP and one over TCP, with the case's id in its name.
 *
 * <p>The runner itself is judged by running it against CoreDNS: with the system property {@code cairn.conformance.server} (in Gradle
 * {@code -PconformanceServer=COMMAND}) each suite is served by {@code COMMAND -conf COREFILE} instead. The command finds
 * {@code manifests DIR} in the block of {@code kubernetes} and has to put there what makes CoreDNS read those files, such as an
 * {@code endpoint} with a small API server. Then cases that are marked as departures from the RFCs are expected as CoreDNS answers
 * them, so that all must pass.
 */
class DnsConformanceTest {
    private static final @Nullable String COMMAND = System.getProperty("cairn.conformance.server");
    private static final Facts FACTS = Facts.read();

    @TempDir
    static Path directory;

    private static String running = "";
    private static @Nullable SuiteServer server;
    private static final Map<String, Throwable> FAILED = new HashMap<>();

    /** A case to be asked in one way. */
    record Question(Suite suite, Case one, Transport transport) {
        @Override
        public String toString() {
            return one.id() + " over " + transport + ": " + one.query().get("name") + " " + one.query().get("type");
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    static List<Question> questions() {
        List<Question> questions = new ArrayList<>();
        for (Suite suite : FACTS.suites()) {
            if (COMMAND != null && !suite.nextHandler().isEmpty()) {
                continue;
            }
            for (Case one : suite.cases()) {
                for (Transport transport : Transport.values()) {
                    if (one.asks(transport)) {
                        questions.add(new Question(suite, one, transport));
                    }
                }
            }
        }
        return questions;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("questions")
    void answersAsTheFactsSay(Question question) throws Exception {
        question.one().ask(serverOf(question.suite()), question.transport(), COMMAND != null);
    }

    /** One server runs at a time; questions come suite by suite. What does not start is tried once. */
    private static SuiteServer serverOf(Suite suite) throws Exception {
        if (FAILED.containsKey(suite.id())) {
            throw new AssertionError("the server of " + suite + " has not started", FAILED.get(suite.id()));
        }
        if (server == null || !running.equals(suite.id())) {
            stop();
            server = null;
            try {
                server = new SuiteServer(suite, directory.resolve(suite.id()), COMMAND, null);
            } catch (Exception | AssertionError e) {
                FAILED.put(suite.id(), e);
                throw e;
            }
            running = suite.id();
        }
        return server;
    }

    @Test
    void everyCaseIsAsked() {
        Assumptions.assumeTrue(COMMAND == null, "another server is not asked everything");
        assertThat(questions().stream().map(question -> question.one().id()).distinct()).hasSize(243);
    }

    @Test
    void everyDepartureFromTheRfcsHasARightAnswerAndAReason() {
        assertThat(FACTS.quirks().keySet())
                .isEqualTo(FACTS.suites().stream().flatMap(suite -> suite.cases().stream()).filter(Case::quirk).map(Case::id)
                        .collect(Collectors.toSet()));
        assertThat(FACTS.quirks().values()).allSatisfy(quirk -> assertThat(Facts.text(Facts.map(quirk), "reason")).contains("RFC"));
    }

    @Test
    void everyDepartureIsOnThePageOfThePlugin() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("cairn.root"), "docs/plugins/kubernetes.md")).replaceAll("\\s+", " ");
        String differences = page.substring(page.indexOf("## Differences from CoreDNS"));
        assertThat(FACTS.quirks()).allSatisfy((id, quirk) ->
                assertThat(differences).as(id).contains(Facts.text(Facts.map(quirk), "page")));
        assertThat(FACTS.quirks().values()).extracting(quirk -> Facts.text(Facts.map(quirk), "page")).doesNotContain("").doesNotHaveDuplicates();
    }
}
