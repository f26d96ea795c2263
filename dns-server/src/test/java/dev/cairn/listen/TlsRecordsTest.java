package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.RecordClient;
import dev.cairn.testing.TcpClient;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** However the bytes of queries are put into records, and records into segments, the answers are the same. */
class TlsRecordsTest {
    private static final int QUERIES = 50;

    @TempDir
    static Path directory;

    private static TestCertificates certificates;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        certificates = new TestCertificates(directory);
        server = TestServer.start("tls://.:0 {\n bind 127.0.0.1\n tls " + certificates.leaf("server", "EC").arguments() + "\n whoami\n}\n");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** One that is through with its handshake and had an answer. */
    private static RecordClient client(String version) throws Exception {
        RecordClient client = new RecordClient(server.port(), certificates.client(true), version);
        assertAnswered(client);
        return client;
    }

    private static void assertAnswered(RecordClient client) throws IOException {
        Message query = query();
        client.send(client.record(TcpClient.frames(query)));
        assertThat(client.read().getHeader().getID()).isEqualTo(query.getHeader().getID());
    }

    private static Message query() throws IOException {
        return TestServer.query("example.org", Type.A);
    }

    private static Message[] queries() throws IOException {
        Message[] queries = new Message[QUERIES];
        for (int i = 0; i < QUERIES; i++) {
            queries[i] = query();
        }
        return queries;
    }

    private static void assertAnswers(RecordClient client, Message[] queries) throws IOException {
        for (Message query : queries) {
            assertThat(client.read().getHeader().getID()).isEqualTo(query.getHeader().getID());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void manyRecordsInOneSegment(String version) throws Exception {
        try (RecordClient client = client(version)) {
            Message[] queries = queries();
            ByteArrayOutputStream records = new ByteArrayOutputStream();
            for (Message query : queries) {
                records.writeBytes(client.record(TcpClient.frames(query)));
            }
            client.send(records.toByteArray());
            assertAnswers(client, queries);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void oneRecordInManySegments(String version) throws Exception {
        try (RecordClient client = client(version)) {
            Message[] queries = queries();
            byte[] record = client.record(TcpClient.frames(queries));
            for (byte single : record) {
                client.send(new byte[] {single});
            }
            assertAnswers(client, queries);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void oneQueryInManyRecords(String version) throws Exception {
        try (RecordClient client = client(version)) {
            Message query = query();
            for (byte single : TcpClient.frames(query)) {
                client.send(client.record(new byte[] {single}));
            }
            assertAnswers(client, new Message[] {query});
        }
    }

    /** The rest is much shorter than what the engine has kept, and so is the room that is made for it at first. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theLastBytesOfALongRecordComeLate(String version) throws Exception {
        try (RecordClient client = client(version)) {
            Message[] queries = queries();
            byte[] record = client.record(TcpClient.frames(queries));
            client.send(Arrays.copyOf(record, record.length - 1));
            try (RecordClient other = client(version)) { // by when the first part has been read
                assertAnswered(other);
            }
            client.send(new byte[] {record[record.length - 1]});
            assertAnswers(client, queries);
            assertAnswered(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void whoSaysThatNoMoreComesIsToldTheSame(String version) throws Exception {
        try (RecordClient client = client(version)) {
            client.send(client.closeNotify());
            assertThat(client.readToCloseNotify()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void whoSendsAnAlteredRecordIsToldSoAndCutOff(String version) throws Exception {
        try (RecordClient client = client(version)) {
            byte[] record = client.record(TcpClient.frames(query()));
            record[record.length - 1] ^= 1;
            client.send(record);
            assertThatThrownBy(client::readToCloseNotify).isInstanceOf(SSLException.class).hasMessageContaining("bad_record_mac");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void whoLeavesInTheMiddleOfARecordDoesNoHarm() throws Exception {
        try (RecordClient client = client("TLSv1.3")) {
            byte[] record = client.record(TcpClient.frames(query()));
            client.send(Arrays.copyOf(record, record.length / 2));
        }
        client("TLSv1.3").close();
    }

    /** A client may change its keys, and ask the server to (RFC 8446 section 4.6.3). */
    @ParameterizedTest
    @ValueSource(strings = {"k", "K"})
    void keysAreUpdated(String command) throws Exception {
        Process client = new ProcessBuilder("openssl", "s_client", "-connect", "127.0.0.1:" + server.port(), "-tls1_3")
                .redirectErrorStream(true).start();
        try {
            InputStream out = client.getInputStream();
            byte[] query = TcpClient.frames(query());
            for (int round = 0; round < 3; round++) {
                client.getOutputStream().write(query);
                client.getOutputStream().flush();
                await(out, "_tcp");
                client.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
                client.getOutputStream().flush();
                await(out, "KEYUPDATE");
            }
            client.getOutputStream().write(query);
            client.getOutputStream().flush();
            await(out, "_tcp");
        } finally {
            client.destroyForcibly();
        }
    }

    private static void await(InputStream out, String text) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(text) < 0) {
            int next = out.read();
            assertThat(next).as("after %s", seen).isNotNegative();
            seen.append((char) next);
        }
    }
}
