package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.RawClient;
import dev.cairn.testing.TestServer;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class ReplyAddressTest {
    /** The client's socket is connected, so the kernel hands it only what comes from the address it asked. */
    @ParameterizedTest
    @EnumSource(value = Engines.Choice.class, names = {"FFM", "EPOLL", "NIO"})
    void aReplyLeavesFromTheAddressThatWasAsked(Engines.Choice engine) throws Exception {
        List<InetAddress> addresses = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList();
        assertThat(addresses).isNotEmpty();
        try (TestServer server = TestServer.start(". {\n whoami\n}", engine)) {
            for (InetAddress address : addresses) {
                assertAnswered(address, server.port());
            }
        }
    }

    /** Any address of 127.0.0.0/8 is this machine's without being on an interface: only packet information tells which was asked. */
    @ParameterizedTest
    @EnumSource(value = Engines.Choice.class, names = "FFM")
    void alsoFromAnAddressThatNoInterfaceLists(Engines.Choice engine) throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n}", engine)) {
            assertAnswered(InetAddress.getByName("127.12.34.56"), server.port());
        }
    }

    private static void assertAnswered(InetAddress address, int port) throws Exception {
        try (RawClient client = new RawClient(address, port)) {
            byte[] query = TestServer.query("example.org", Type.A).toWire();
            assertThat(new Message(client.ask(false, query)).getRcode()).as("over UDP from %s", address).isEqualTo(Rcode.NOERROR);
            assertThat(new Message(client.ask(true, query)).getRcode()).as("over TCP from %s", address).isEqualTo(Rcode.NOERROR);
        }
    }
}
