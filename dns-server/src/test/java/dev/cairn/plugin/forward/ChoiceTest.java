package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Type;

/** Which of several upstreams is asked, and when another is asked, too. */
class ChoiceTest {
    private static final ScriptedUpstream.Script FAST = ScriptedUpstream.address("192.0.2.1");

    private static void ask(TestServer server, String prefix, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            assertThat(TestServer.answers(server.ask(prefix + i + ".org.", Type.A))).hasSize(1);
        }
    }

    /** Who waited for the silent one would get no answer at all: its read timeout is an hour. */
    @ParameterizedTest
    @ValueSource(strings = {"random", "round_robin", "sequential", "latency"})
    void aLateUpstreamIsOvertakenByAnother(String policy) throws Exception {
        try (ScriptedUpstream first = ScriptedUpstream.start(FAST);
                ScriptedUpstream second = ScriptedUpstream.start(FAST);
                TestServer server = ForwardTest.serving(first.address() + " " + second.address(), "policy " + policy, "max_fails 0")) {
            ask(server, "warm", 20);
            first.script(ScriptedUpstream.silent());
            ask(server, "late", 10);
        }
    }

    @Test
    void hedgingCanBeTurnedOff() throws Exception {
        try (ScriptedUpstream first = ScriptedUpstream.start(ScriptedUpstream.silent());
                ScriptedUpstream second = ScriptedUpstream.start(FAST);
                TestServer server = ForwardTest.serving(
                        first.address() + " " + second.address(), "policy sequential", "hedge off", "max_fails 0", "read_timeout 500ms")) {
            ask(server, "a", 1);
            assertThat(first.asked()).hasSize(1);
            assertThat(server.metrics()).contains("cairn_forward_hedged_queries_total 0");
        }
    }

    @Test
    void anUpstreamThatIsOvertakenIsCheckedAndGetsDown() throws Exception {
        try (ScriptedUpstream first = ScriptedUpstream.start(ScriptedUpstream.silent());
                ScriptedUpstream second = ScriptedUpstream.start(FAST);
                TestServer server = ForwardTest.serving(
                        first.address() + " " + second.address(), "policy sequential", "health_check 20ms", "max_fails 1")) {
            ask(server, "late", 1);
            BadUpstreamTest.awaitHealthChecksFailed(server, first);
            int before = first.asked().size();
            ask(server, "down", 10);
            assertThat(first.asked()).hasSize(before);
        }
    }

    /** Health is not looked at, so that only the time can tell. One query in 16 goes to either at random. */
    @Test
    void byLatencyAnUpstreamThatIsOvertakenLosesItsPlace() throws Exception {
        try (ScriptedUpstream one = ScriptedUpstream.start(FAST);
                ScriptedUpstream two = ScriptedUpstream.start(FAST);
                TestServer server = ForwardTest.servingByOneLane(one.address() + " " + two.address(), "policy latency", "max_fails 0")) {
            ask(server, "warm", 40);
            ScriptedUpstream preferred = one.asked().size() > two.asked().size() ? one : two;
            preferred.script(ScriptedUpstream.silent());
            ask(server, "late", 40);
            int before = preferred.asked().size();
            ask(server, "then", 64);
            assertThat(preferred.asked().size() - before).isLessThan(32);
        }
    }

    /** Its reply is not a forged one, and is not counted as such. */
    @Test
    void theReplyOfAnUpstreamThatWasOvertakenIsLate() throws Exception {
        CountDownLatch overtaken = new CountDownLatch(1);
        ScriptedUpstream.Script late = asked -> {
            overtaken.await();
            return FAST.answer(asked);
        };
        try (ScriptedUpstream first = ScriptedUpstream.start(late);
                ScriptedUpstream second = ScriptedUpstream.start(FAST);
                TestServer server = ForwardTest.serving(first.address() + " " + second.address(), "policy sequential", "max_fails 0")) {
            ask(server, "a", 1);
            overtaken.countDown();
            Awaitility.await().until(() -> server.metrics()
                    .contains("cairn_forward_ignored_replies_total{reason=\"late\",to=\"" + first.address() + "\"} 1"));
            assertThat(server.metrics()).doesNotContain("reason=\"id\"");
        }
    }

    @Test
    void roundRobinAsksEachInTurn() throws Exception {
        try (ScriptedUpstream a = ScriptedUpstream.start(FAST);
                ScriptedUpstream b = ScriptedUpstream.start(FAST);
                ScriptedUpstream c = ScriptedUpstream.start(FAST);
                TestServer server = ForwardTest.serving(
                        a.address() + " " + b.address() + " " + c.address(), "policy round_robin", "hedge off")) {
            for (int round = 1; round <= 10; round++) {
                ask(server, "r" + round + "-", 3);
                for (ScriptedUpstream upstream : List.of(a, b, c)) {
                    assertThat(upstream.asked()).hasSize(round);
                }
            }
        }
    }

    /** Out of 200 a fair choice gives one of them less than 50 once in some 10^12 runs. */
    @Test
    void randomAsksAllAboutEquallyOften() throws Exception {
        try (ScriptedUpstream a = ScriptedUpstream.start(FAST);
                ScriptedUpstream b = ScriptedUpstream.start(FAST);
                TestServer server = ForwardTest.serving(a.address() + " " + b.address(), "hedge off")) {
            ask(server, "r", 200);
            assertThat(a.asked().size() + b.asked().size()).isEqualTo(200);
            assertThat(a.asked()).hasSizeBetween(50, 150);
        }
    }
}
