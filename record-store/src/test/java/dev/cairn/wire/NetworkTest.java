package dev.cairn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.1.2.3/8, 10.0.0.0, true",
        "192.168.1.0/25, 192.168.1.127, true",
        "192.168.1.0/25, 192.168.1.128, false",
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "::/0, ffff::1, true",
        "::ffff:10.0.0.0/104, 10.9.9.9, true",
    })
    void holdsTheAddressesWithItsPrefix(String network, String address, boolean contained) throws UnknownHostException {
        byte[] bytes = InetAddress.getByName(address).getAddress();
        assertThat(Network.parse(network)).isNotNull().matches(parsed -> parsed.contains(bytes, bytes.length) == contained);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "2001:db8::/129", "example.org", "::ffff:10.0.0.0/8"
    })
    void refusesWhatIsNoNetwork(String text) {
        assertThat(Network.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "1.2.3", "1.2.3.4.5", "1.2.3.", "1..3.4", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "a.b.c.d",
        "::1%lo", "[::1]", "1::2::3", "localhost",
    })
    void refusesWhatIsNoAddress(String text) {
        assertThat(IpAddress.parse(text)).isNull();
    }

    @Test
    void readsAddressesOfBothFamilies() throws UnknownHostException {
        for (String text : new String[] {"0.0.0.0", "192.0.2.255", "::", "2001:db8::a:b", "fe80::1"}) {
            assertThat(IpAddress.parse(text)).isEqualTo(InetAddress.getByName(text).getAddress());
        }
        assertThat(IpAddress.parse("::ffff:192.0.2.1")).containsExactly(192, 0, 2, 1);
    }

    /** The examples of RFC 1035 section 3.5 and RFC 3596 section 2.5. */
    @Test
    void makesReverseNames() throws UnknownHostException {
        assertThat(IpAddress.reverseName(InetAddress.getByName("10.2.0.52").getAddress())).hasToString("52.0.2.10.in-addr.arpa.");
        assertThat(IpAddress.reverseName(InetAddress.getByName("4321:0:1:2:3:4:567:89ab").getAddress()))
                .hasToString("b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa.");
    }
}
