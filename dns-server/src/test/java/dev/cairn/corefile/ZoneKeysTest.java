package dev.cairn.corefile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZoneKeysTest {

    private static final Position HERE = new Position("Corefile", 7);

    private final Problems problems = new Problems();

    private String keys(String key) {
        return ZoneKeys.of(new Token(key, HERE), 5300, problems).stream().map(ZoneKey::toString).collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource({
        ".,                          dns://.:5300",
        ".:53,                       dns://.:53",
        ".:0,                        dns://.:0",
        "Example.ORG,                dns://example.org.:5300",
        "example.org.:1053,          dns://example.org.:1053",
        "dns://example.org,          dns://example.org.:5300",
        "tls://example.org,          tls://example.org.:853",
        "TLS://example.org:854,      tls://example.org.:854",
        "quic://.,                   quic://.:853",
        "grpc://.,                   grpc://.:443",
        "https://.,                  https://.:443",
        "https3://.,                 https3://.:443",
        "_tcp.a-b.c,                 dns://_tcp.a-b.c.:5300",
        "0/25.2.0.192.in-addr.arpa,  dns://0/25.2.0.192.in-addr.arpa.:5300",
        "a\\.b.org,                  dns://a\\.b.org.:5300",
        "10.0.0.0/24,                dns://0.0.10.in-addr.arpa.:5300",
        "10.0.0.0/24:53,             dns://0.0.10.in-addr.arpa.:53",
        "10.0.0.77/24,               dns://0.0.10.in-addr.arpa.:5300",
        "10.0.0.0/15:53,             dns://0.10.in-addr.arpa.:53 dns://1.10.in-addr.arpa.:53",
        "2001:db8::/32,              dns://8.b.d.0.1.0.0.2.ip6.arpa.:5300",
        "tls://2001:db8::/32:54,     tls://8.b.d.0.1.0.0.2.ip6.arpa.:54",
    })
    void keysHaveSchemeZoneAndPort(String key, String expected) {
        assertThat(keys(key)).isEqualTo(expected);
        assertThat(problems.all()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0/0,         1, in-addr.arpa.",
        "10.0.0.0/8,        1, 10.in-addr.arpa.",
        "10.0.0.0/15,       2, 0.10.in-addr.arpa. 1.10.in-addr.arpa.",
        "10.129.60.0/22,    4, 60.129.10.in-addr.arpa. 61.129.10.in-addr.arpa. 62.129.10.in-addr.arpa. 63.129.10.in-addr.arpa.",
        "10.129.61.5/22,    4, 60.129.10.in-addr.arpa. 61.129.10.in-addr.arpa. 62.129.10.in-addr.arpa. 63.129.10.in-addr.arpa.",
        "10.0.0.0/9,      128, 0.10.in-addr.arpa. 1.10.in-addr.arpa.",
        "192.0.2.128/25,  128, 128.2.0.192.in-addr.arpa. 129.2.0.192.in-addr.arpa.",
        "192.0.2.1/32,      1, 1.2.0.192.in-addr.arpa.",
        "2001:db8::/31,     2, 8.b.d.0.1.0.0.2.ip6.arpa. 9.b.d.0.1.0.0.2.ip6.arpa.",
        "2001:DB8::/34,     4, 0.8.b.d.0.1.0.0.2.ip6.arpa. 1.8.b.d.0.1.0.0.2.ip6.arpa.",
        "fd00::/8,          1, d.f.ip6.arpa.",
        "fe80::/10,         4, 8.e.f.ip6.arpa. 9.e.f.ip6.arpa. a.e.f.ip6.arpa. b.e.f.ip6.arpa.",
    })
    void networksBecomeReverseZones(String network, int count, String first) {
        List<String> zones = ZoneKeys.zones(new Token(network, HERE), problems);
        assertThat(zones).hasSize(count);
        assertThat(String.join(" ", zones)).startsWith(first);
        assertThat(problems.all()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "example.org: | no port after the colon of \"example.org:\": write example.org:53, or leave the colon out",
        "example.org:dns | bad port \"dns\": write example.org:PORT with a number from 1 to 65535",
        "example.org:65536 | bad port \"65536\": write example.org:PORT with a number from 1 to 65535",
        "example.org:-1 | bad port \"-1\": write example.org:PORT with a number from 1 to 65535",
        ":53 | no zone before the port: write .:53 for the root zone",
        "htps://. | unknown scheme \"htps\": did you mean https://",
        "gopher://. | unknown scheme \"gopher\": write one of dns, tls, quic, grpc, https, https3",
        "dns:// | the zone is empty: write . for the root zone, and see that variables are set",
        "a..b | zone \"a..b\" has an empty label: write one dot between labels and none before the first",
        ".a | zone \".a\" has an empty label: write one dot between labels and none before the first",
        "a\\ | zone \"a\\\" ends within an escape: write \\\\ for a backslash",
        "a{ | zone \"a{\" has a '{': separate zones, ports and braces with spaces, and write zones as example.org",
        "10.0.0.0/33 | bad network \"10.0.0.0/33\": write all of the address and the length of the prefix, such as 10.0.0.0/8 or "
            + "2001:db8::/32",
        "10.0/16 | bad network \"10.0/16\": write all of the address and the length of the prefix, such as 10.0.0.0/8 or 2001:db8::/32",
        "2001:db8::/129 | bad network \"2001:db8::/129\": write all of the address and the length of the prefix, such as 10.0.0.0/8 "
            + "or 2001:db8::/32",
        "2001:db8::1 | \"2001:db8::1\" is not a zone: write 2001:db8::1/128 for the reverse zone of the address, or use the bind "
            + "plugin to listen on it",
        "gr\u00fcn.org | zone \"gr\u00fcn.org\" is not ASCII: write: xn--grn-ioa.org",
    })
    void badKeysAreExplained(String key, String message) {
        assertThat(keys(key)).isEmpty();
        assertThat(problems.all()).extracting(Problem::toString).containsExactly("Corefile:7: " + message);
    }

    @Test
    void longNamesAreRefused() {
        String label = "a".repeat(63);
        assertThat(keys(label + "." + label + "." + label + "." + "b".repeat(61))).startsWith("dns://");
        assertThat(problems.all()).isEmpty();
        assertThat(keys("a".repeat(64) + ".org")).isEmpty();
        assertThat(keys(label + "." + label + "." + label + "." + "b".repeat(62))).isEmpty();
        assertThat(problems.all()).extracting(Problem::message).satisfiesExactly(
            first -> assertThat(first).endsWith("has a label of 64 characters: at most 63 are allowed"),
            second -> assertThat(second).isEqualTo("the zone is 256 bytes long: at most 255 are allowed"));
    }

    @Test
    void anAddressWithoutPrefixIsAWarning() {
        assertThat(keys("10.0.0.1")).isEqualTo("dns://10.0.0.1.:5300");
        assertThat(problems.hasErrors()).isFalse();
        assertThat(problems.all()).hasSize(1);
    }

    @Test
    void zoneArgumentsMayHaveSchemeAndPort() {
        assertThat(ZoneKeys.zones(new Token("tls://Example.org:53", HERE), problems)).containsExactly("example.org.");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "a.org {;};a.org {;} | Corefile:3: cannot serve dns://a.org.:53: it is already defined at Corefile:1; "
            + "merge the two, change the zone or port of one, or tell them apart with view",
        "a.org A.org. {;} | Corefile:1: cannot serve dns://a.org.:53: it is already defined at Corefile:1; "
            + "merge the two, change the zone or port of one, or tell them apart with view",
        "10.0.0.0/9 {;};10.1.0.0/16 {;} | Corefile:3: cannot serve dns://1.10.in-addr.arpa.:53: it is already defined at Corefile:1; "
            + "merge the two, change the zone or port of one, or tell them apart with view",
        "a.org {;};a.org:54 {;};tls://a.org {;};b.a.org {;} | ``",
        "a.org {;view x {;};};a.org {;view y {;};};a.org {;} | ``",
        "a.org {;bind 127.0.0.1;};a.org {;bind 127.0.0.2;} | ``",
        "a.org {;bind 127.0.0.1;};a.org {;bind 127.0.0.2 127.0.0.1;} | Corefile:4: cannot serve dns://a.org.:53: it is already "
            + "defined at Corefile:1; "
            + "merge the two, change the zone or port of one, or tell them apart with view",
        "a.org {;bind 127.0.0.1;};a.org {;} | Corefile:4: cannot serve dns://a.org.:53 on all addresses: the block at Corefile:1 "
            + "serves it on some; "
            + "give both blocks a bind or neither",
        "a.org {;};a.org {;bind lo;} | Corefile:3: cannot serve dns://a.org.:53 on lo: the block at Corefile:1 serves it on all addresses; "
            + "give both blocks a bind or neither",
    })
    void zonesServedTwiceAreReportedWithTheFirstPlace(String text, String message) {
        Reading reading = Reading.of(text.replace(';', '\n'));
        ZoneKeys.reportDuplicates(reading.corefile().blocks(), 53, reading.problems());
        assertThat(String.join("\n", reading.messages()).replace("/nowhere/", "")).isEqualTo(message);
    }
}
