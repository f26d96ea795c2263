package dev.cairn.plugin.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.log.Log;
import dev.cairn.plugin.MetadataProvider;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.plugin.metadata.MetadataSetup;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class LogTest {
    /** The lines of a server after it was asked and stopped. */
    private static List<String> lines(String corefile, boolean tcp, Message... queries) throws Exception {
        TestServer server = TestServer.start(corefile);
        try (server) {
            for (Message query : queries) {
                server.ask(query, tcp);
            }
        }
        return server.log();
    }

    private static Message query(String name, int type) throws Exception {
        Message query = TestServer.query(name, type);
        query.getHeader().setID(4660);
        return query;
    }

    private static Message dnssecQuery(String name, int type) throws Exception {
        Message query = query(name, type);
        query.addRecord(new OPTRecord(1232, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
        return query;
    }

    @Test
    void theCommonLineIsThatOfCoreDns() throws Exception {
        assertThat(lines(". {\n log\n whoami\n}", false, query("Example.ORG", Type.A))).singleElement().asString().matches(
                "\\[INFO] 127\\.0\\.0\\.1:[0-9]+ - 4660 \"A IN example\\.org\\. udp 29 false 512\" "
                        + "NOERROR qr,aa,rd [0-9]+ [0-9]+\\.[0-9]*[1-9]s");
        assertThat(lines(". {\n log\n whoami\n}", true, dnssecQuery("example.org", Type.HTTPS))).singleElement().asString().matches(
                "\\[INFO] 127\\.0\\.0\\.1:[0-9]+ - 4660 \"HTTPS IN example\\.org\\. tcp 40 true 65535\" NOERROR qr,aa,rd [0-9]+ [0-9.]+s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{type} {class} {name} {proto} {size}|A IN a.example.org. udp 42",
        "{remote}/{local}|127.0.0.1/127.0.0.1",
        "{>id} {>opcode} {>do} {>bufsize}|4660 0 true 1232",
        "{rcode} {>rflags}|NOERROR qr,aa,rd",
        "{/log/class}:{/log/type}|success:NOERROR",
        "{/no/label} {unknown} { {type} } }|- {unknown} { A } }",
        "{>ID} {|{>ID} {"
    })
    void aFormatMayNameWhatIsWanted(String format, String text) throws Exception {
        assertThat(lines(". {\n log . \"" + format + "\"\n whoami\n}", false, dnssecQuery("a.Example.org", Type.A)))
                .containsExactly("[INFO] " + text);
    }

    @Test
    void combinedAddsTheOpcodeToCommon() throws Exception {
        assertThat(lines(". {\n log . {combined}\n whoami\n}", false, query("example.org", Type.A))).singleElement().asString()
                .matches(".*\"A IN example\\.org\\. udp 29 false 512\" NOERROR qr,aa,rd [0-9]+ [0-9.]+s \"0\"");
        assertThat(lines(". {\n log . \"{common} end\"\n whoami\n}", false, query("example.org", Type.A))).singleElement().asString()
                .endsWith("s end");
    }

    @Test
    void theFirstNameThatMatchesDecides() throws Exception {
        String corefile = ". {\n log example.org example.net \"one {name}\"\n log sub.example.org \"two {name}\"\n"
                + " log org \"three {name}\" {\n  class error\n }\n whoami\n}";
        assertThat(lines(corefile, false, query("a.sub.example.org", Type.A), query("example.net", Type.A), query("other.org", Type.A),
                query("notexample.org", Type.A), query("com", Type.A)))
                .containsExactly("[INFO] one a.sub.example.org.", "[INFO] one example.net.");
    }

    @ParameterizedTest
    @CsvSource({"all,2", "success,1", "error,1", "denial,0", "denial error,1", "error success,2", "denial all,2"})
    void classesChooseWhatIsLogged(String classes, int count) throws Exception {
        String log = " log . {rcode} {\n  class " + classes + "\n }\n";
        String corefile = "good.org {\n" + log + " whoami\n}\nbad.org {\n" + log + "}\n";
        assertThat(lines(corefile, false, query("good.org", Type.A), query("bad.org", Type.A))).hasSize(count);
    }

    @Test
    void jsonLinesHaveTheMembersOfCoreDns() throws Exception {
        Log.format(Log.Format.JSON);
        try {
            List<String> lines = lines(". {\n log . \"{name} {rcode}\"\n whoami\n}", false, dnssecQuery("a\\\"b.org", Type.A));
            assertThat(lines).singleElement().asString().matches("\\{\"time\":\"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)\","
                    + "\"level\":\"INFO\",\"msg\":\"a\\\\\\\\\\\\\"b\\.org\\. NOERROR\",\"plugin\":\"log\","
                    + "\"client_ip\":\"127\\.0\\.0\\.1\","
                    + "\"client_port\":[0-9]+,\"qname\":\"a\\\\\\\\\\\\\"b\\.org\\.\",\"qtype\":\"A\",\"qclass\":\"IN\","
                    + "\"protocol\":\"udp\","
                    + "\"id\":4660,\"opcode\":0,\"request_size\":36,\"dnssec_ok\":true,\"bufsize\":1232,\"rcode\":\"NOERROR\","
                    + "\"response_size\":[0-9]+,\"duration_seconds\":[0-9]+\\.[0-9]+}");
        } finally {
            Log.format(Log.Format.TEXT);
        }
    }

    /** Drops every query, and knows something about it. */
    private static final class Dropping implements Plugin, MetadataProvider {
        @Override
        public String name() {
            return "dropping";
        }

        @Override
        public Step query(Exchange exchange) {
            return Step.DROPPED;
        }

        @Override
        public Map<String, MetadataValue> metadata() {
            return Map.of("dropping/why", exchange -> "type " + exchange.query().type());
        }
    }

    @Test
    void aDroppedQueryHasNoCodeAndOthersMayAddWhatTheyKnow() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream before = Log.redirect(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            try (TestChain chain = new TestChain("metadata .\n log . \"{rcode} {>rflags} {rsize} {/log/type} {/dropping/why}\"",
                    List.of(new MetadataSetup(), new LogSetup()), new Dropping())) {
                chain.handle(new Exchange(), query("example.org", Type.AAAA).toWire(), (_, _, _) -> { });
            }
            Log.flush();
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("[INFO] - - 0 OTHERERROR type 28\n");
        } finally {
            Log.redirect(before);
        }
    }

    @Test
    void whatStandardOutputDoesNotTakeIsCountedAndQueriesGoOn() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        OutputStream slow = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                try {
                    open.await();
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
                written.write(b);
            }
        };
        int queries = 80_000;
        long droppedBefore = Log.dropped();
        PrintStream before = Log.redirect(new PrintStream(slow, false, StandardCharsets.UTF_8));
        TestChain chain = new TestChain("log . {>id}", List.of(new LogSetup()), new Dropping());
        try {
            byte[] packet = query("example.org", Type.A).toWire();
            Exchange exchange = new Exchange();
            for (int i = 0; i < queries; i++) {
                chain.handle(exchange, packet, (_, _, _) -> { });
            }
            long dropped = Log.dropped() - droppedBefore;
            open.countDown();
            chain.close();
            Log.flush();
            assertThat(dropped).isPositive();
            assertThat(written.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("[INFO] "))).hasSize(queries - (int) dropped);
            assertThat(written.toString(StandardCharsets.UTF_8)).contains("[WARNING] ", " lines of the log were lost");
        } finally {
            open.countDown();
            chain.close();
            Log.redirect(before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "log . {\\n klass all\\n },did you mean class?", "log . {\\n class\\n },write: class",
        "log . {\\n class bad\\n },is not known here",
        "log a..b,empty label"
    })
    void mistakesAreToldWithTheWayOut(String directive, String part) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive.replace("\\n", "\n") + "\n whoami\n}"))
                .singleElement().asString().contains("plugin/log: ").contains(part);
    }

    @Test
    void aFormatAloneIsForAllNames() throws Exception {
        List<String> lines = lines(". {\n log {name}\n whoami\n}", false, query("example.org", Type.A));
        assertThat(lines).hasSize(2).last().isEqualTo("[INFO] example.org.");
        assertThat(lines).first().asString().startsWith("[WARNING] Corefile:2: ").contains("write: log . FORMAT");
    }
}
