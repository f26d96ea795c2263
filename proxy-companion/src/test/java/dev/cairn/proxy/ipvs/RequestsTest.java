package dev.cairn.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.netlink.GenericFamily;
import dev.cairn.proxy.netlink.Message;
import dev.cairn.proxy.plan.Endpoint;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Requests to the kernel byte by byte, for a family with the number 0x1c. */
@EnabledIf(value = "dev.cairn.proxy.ipvs.RequestsTest#isLittleEndian", disabledReason = "the bytes are those of a little-endian machine")
class RequestsTest {
    private static final GenericFamily FAMILY = new GenericFamily(0x1c);

    static boolean isLittleEndian() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }

    private static ServerKey key(Protocol protocol, String address, int port) {
        return new ServerKey(protocol, new Endpoint(TestCluster.addresses(address).getFirst(), port));
    }

    private static String hex(Message message, int sequence) {
        return HexFormat.of().formatHex(message.bytes(sequence, Message.ACK));
    }

    private static String hex(Change change, int sequence) {
        return hex(NetlinkBalancer.message(FAMILY, change), sequence);
    }

    @Test
    void a_virtual_server_of_udp() {
        assertThat(hex(new Change.PutServer(key(Protocol.UDP, "10.96.0.10", 53), new Server("rr", 0, 0), true), 2)).isEqualTo(
                "5c0000001c0005000200000000000000010100004800010006000100020000000600020011000000080003000a60000a060004000035000007000600727200000c000700"
                        + "00000000ffffffff080008000000000008000900ffffffff");
    }

    @Test
    void one_with_persistence() {
        assertThat(hex(new Change.PutServer(key(Protocol.TCP, "10.96.0.1", 443), new Server("rr", Server.PERSISTENT, 10800), true), 3)).isEqualTo(
                "5c0000001c0005000300000000000000010100004800010006000100020000000600020006000000080003000a6000010600040001bb000007000600727200000c000700"
                        + "01000000ffffffff08000800302a000008000900ffffffff");
    }

    @Test
    void one_of_ipv6() {
        assertThat(hex(new Change.PutServer(key(Protocol.TCP, "fd00::1", 80), new Server("rr", 0, 0), true), 4)).isEqualTo(
                "680000001c00050004000000000000000101000054000100060001000a000000060002000600000014000300fd0000000000000000000000000000010600040000500000"
                        + "07000600727200000c00070000000000ffffffff08000800000000000800090080000000");
    }

    @Test
    void a_real_server_names_its_virtual_server_shortly() {
        assertThat(hex(new Change.PutReal(key(Protocol.TCP, "10.96.0.1", 443), key(Protocol.TCP, "10.180.0.1", 6443).at(), 1, true), 5)).isEqualTo(
                "6c0000001c000500050000000000000005010000240001000600010002000000060002000600000008000300" + "0a6000010600040001bb0000"
                        + "34000200080001000ab4000106000200192b00000800030000000000080004000100000008000500000000000800060000000000");
    }

    @Test
    void the_link_and_an_address_of_it() {
        assertThat(hex(AddressLink.makeMessage("kube-ipvs0"), 1)).isEqualTo(
                "40000000100005060100000000000000000000000000000000000000000000000f0003006b7562652d69707673300000100012000900010064756d6d79000000");
        assertThat(hex(AddressLink.message(20, Message.CREATE | Message.EXCL, TestCluster.addresses("10.96.0.10").getFirst(), 7), 2)).isEqualTo(
                "280000001400050602000000000000000220000007000000080002000a60000a080001000a60000a");
    }
}
