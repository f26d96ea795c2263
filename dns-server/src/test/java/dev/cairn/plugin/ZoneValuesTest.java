package dev.cairn.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Type;

class ZoneValuesTest {
    private static final List<String> ZONES = List.of("org.", "example.org.", "a.example.org.", "net.", "org.");

    private static QueryView query(String name) throws IOException {
        byte[] packet = TestServer.query(name, Type.A).toWire();
        QueryView query = new QueryView();
        System.arraycopy(packet, 0, query.buffer(packet.length), 0, packet.length);
        query.read(packet.length);
        return query;
    }

    @ParameterizedTest
    @CsvSource({
        "org.,             org., org.",
        "b.org.,           org., org.",
        "example.org.,     org., example.org.",
        "A.Example.ORG.,   org., a.example.org.",
        "x.a.example.org., org., a.example.org.",
        "ba.example.org.,  org., example.org.",
        "a.net.,           net., net.",
        "com.,             ,     ",
        ".,                ,     ",
    })
    void findsTheFirstOrTheLongest(String name, String first, String longest) throws IOException {
        assertThat(ZoneValues.first(ZONES, WireName::parse).of(query(name))).isEqualTo(first);
        assertThat(ZoneValues.longest(ZONES, WireName::parse).of(query(name))).isEqualTo(longest);
    }
}
