package dev.cairn.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EndpointListTest {
    private static final EndpointHints HINTS = new EndpointHints(List.of("a"), List.of());

    private static EndpointFact random(Random random, boolean mixed) {
        byte[] address = new byte[mixed && random.nextBoolean() ? 16 : 4];
        random.nextBytes(address);
        String pod = random.nextInt(3) == 0 ? "" : "pod-" + random.nextInt(1000);
        String host = List.of("", pod, "host-ü-" + random.nextInt(1000), "h".repeat(random.nextInt(200))).get(random.nextInt(4));
        return new EndpointFact(Address.of(address), random.nextBoolean(), host, pod, "node-" + random.nextInt(4), random.nextBoolean() ? "" : "zone",
                random.nextBoolean(), random.nextBoolean(), random.nextInt(9) == 0 ? HINTS : EndpointHints.NONE, random.nextBoolean());
    }

    @Test
    void endpoints_come_out_as_they_were_put_in() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            List<EndpointFact> expected = new ArrayList<>();
            for (int i = random.nextInt(40); i > 0; i--) {
                expected.add(random(random, round % 2 == 0));
            }
            EndpointList list = EndpointList.of(expected);
            assertThat(new ArrayList<>(list)).isEqualTo(expected);
            for (int i = 0; i < list.size(); i++) {
                Address address = expected.get(i).address();
                byte[] copy = new byte[20];
                list.copyAddress(i, copy, 2);
                assertThat(address.matches(copy, 2)).isTrue();
                assertThat(list.isAt(i, address)).isTrue();
                assertThat(list.address(i)).isEqualTo(address);
                assertThat(Address.of(list.high(i), list.low(i), list.isIpv4(i))).isEqualTo(address);
            }
        }
    }

    /** What is told of one endpoint counts for each of its addresses, and for no other endpoint. */
    @Test
    void a_packer_adds_each_address_of_an_endpoint_and_is_used_again() {
        EndpointPacker packer = new EndpointPacker();
        for (int i = 0; i < 2; i++) {
            packer.clear();
            tell(packer::podName, "db-0");
            tell(packer::hostname, "primary");
            packer.nodeName("node");
            packer.ready(false);
            assertThat(packer.hasAddress()).isFalse();
            assertThat(address(packer, "10.0.0.1") && address(packer, "fd00::1")).isTrue();
            assertThat(address(packer, "10.0.0.256") || address(packer, "") || address(packer, "ten")).isFalse();
            assertThat(packer.hasAddress()).isTrue();
            packer.end();
            assertThat(address(packer, "10.0.0.2")).isTrue();
            packer.end();
            assertThat(new ArrayList<>(packer.list())).containsExactly(
                    new EndpointFact(parsed("10.0.0.1"), false, "primary", "db-0", "node", ""),
                    new EndpointFact(parsed("fd00::1"), false, "primary", "db-0", "node", "", true, false, EndpointHints.NONE, true),
                    new EndpointFact(parsed("10.0.0.2"), true, "", "", "", ""));
        }
    }

    private interface Taker {
        void take(byte[] text, int from, int to);
    }

    private static void tell(Taker taker, String text) {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        taker.take(bytes, 1, bytes.length - 1);
    }

    private static boolean address(EndpointPacker packer, String text) {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        return packer.address(bytes, 1, bytes.length - 1);
    }

    private static Address parsed(String text) {
        return Objects.requireNonNull(Address.parse(text));
    }
}
