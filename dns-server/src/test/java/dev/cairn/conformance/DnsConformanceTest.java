package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;

/**
 * Every case of {@code dns.yaml} is a test over UDP and one over TCP, with the case's id in its name. What is not tried is listed in
 * {@link Waiting}.
 *
 * <p>The runner itself is judged by running it against CoreDNS: with the system property {@code cairn.conformance.server} (in Gradle
 * {@code -PconformanceServer=COMMAND}) each suite is served by {@code COMMAND -conf COREFILE} instead. The command finds
 * {@code manifests DIR} in the block of {@code kubernetes} and has to put there what makes CoreDNS read those files, such as an
 * {@code endpoint} with a small API server. Then no plugin is waited for, and cases that are marked as departures from the RFCs are
 * expected as CoreDNS answers them, so that all must pass.
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
            if (COMMAND == null && Waiting.forPlugin(suite)) {
                continue;
            }
            for (Case one : suite.cases()) {
                for (Transport transport : Transport.values()) {
                    if (one.asks(transport) && !Waiting.forSituation(one)) {
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
        DnsClient client = serverOf(question.suite()).client(question.one().from());
        Case one = question.one();
        Message query = one.message(client);
        Message reply = client.ask(query, question.transport());
        assertThat(reply.getHeader().getID()).as("id").isEqualTo(query.getHeader().getID());
        assertThat(reply.getHeader().getFlag(Flags.QR)).as("is a reply").isTrue();
        assertThat(reply.getQuestion()).as("question").isEqualTo(query.getQuestion());
        if (COMMAND == null) { // CoreDNS's acl sends one
            assertThat(reply.getOPT()).as("an OPT that was not asked for (RFC 6891 section 6.1.1)").isNull();
        }
        Expectation expected = COMMAND == null ? one.right() : one.upstream();
        assertThat(expected.differences(reply)).as("%s%n%s%nin the reply%n%s", one.id(), one.source().get("about"), reply).isEmpty();
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
                server = new SuiteServer(suite, directory.resolve(suite.id()), COMMAND);
            } catch (Exception | AssertionError e) {
                FAILED.put(suite.id(), e);
                throw e;
            }
            running = suite.id();
        }
        return server;
    }

    @Test
    void suitesThatWaitForAPluginAreListedAndNoOthers() {
        Assumptions.assumeTrue(COMMAND == null, "another server has plugins of its own");
        assertThat(Waiting.found(FACTS.suites()))
                .as("suites by the plugin they wait for; has the plugin come, take its line out of Waiting.FOR_PLUGIN")
                .isEqualTo(Waiting.FOR_PLUGIN);
    }

    @Test
    void casesThatWaitForASituationAreCasesOfTheFile() {
        assertThat(FACTS.suites().stream().flatMap(suite -> suite.cases().stream()).map(Case::id))
                .hasSize(243)
                .doesNotHaveDuplicates()
                .containsAll(Waiting.FOR_SITUATION.keySet());
    }

    @Test
    void everyDepartureFromTheRfcsHasARightAnswerAndAReason() {
        assertThat(FACTS.quirks().keySet())
                .isEqualTo(FACTS.suites().stream().flatMap(suite -> suite.cases().stream()).filter(Case::quirk).map(Case::id)
                        .collect(Collectors.toSet()));
        assertThat(FACTS.quirks().values()).allSatisfy(quirk -> assertThat(Facts.text(Facts.map(quirk), "reason")).contains("RFC"));
    }
}
