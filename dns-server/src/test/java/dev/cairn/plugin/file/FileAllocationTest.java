package dev.cairn.plugin.file;


import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.testing.Garbage;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Type;

class FileAllocationTest {
    private static final int QUERIES = 5_000;
    private static final String ZONE = """
            $TTL 300
            @         IN SOA ns admin 1 7200 3600 1209600 60
                      IN NS  ns
            ns        IN A   192.0.2.53
            www       IN A   192.0.2.80
            alias     IN CNAME www
            *.wild    IN A   192.0.2.81
            mail      IN MX  10 www
            child     IN NS  ns.child
            ns.child  IN A   192.0.2.54
            """;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "www, A", "www, AAAA", "alias, A", "a.wild, A", "a.b.wild, AAAA", "mail, MX", "host.child, A", "missing, A", "deep.missing, A", "wild, A"
    })
    void answersWithoutGarbage(String name, String type) throws Exception {
        Path file = Files.writeString(directory.resolve("db"), ZONE);
        byte[] packet = TestServer.query(name + ".example.org.", Type.value(type)).toWire();
        try (TestChain chain = new TestChain("file " + file + " example.org {\n reload 0\n}", List.of(new FileSetup()))) {
            Exchange exchange = new Exchange();
            exchange.from(Protocol.UDP, new byte[4], 1, new byte[4], 53, 4);
            Garbage.assertNone(() -> {
                for (int i = 0; i < QUERIES; i++) {
                    System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
                    int length = chain.dispatcher().handle(exchange, packet.length, chain.router(), Dispatcher.worker(), (_, _, _) -> {});
                    if (length < packet.length) {
                        throw new AssertionError("no reply");
                    }
                }
            });
        }
    }
}
