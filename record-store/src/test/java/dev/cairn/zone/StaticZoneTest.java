package dev.cairn.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StaticZoneTest {
    private static final WireName ORIGIN = WireName.parse("example.");
    private static final byte[] SOA = Rdata.soa(ORIGIN, ORIGIN, 7, 1, 2, 3, 4);

    /** The names of RFC 4034 section 6.1, which come in this order. */
    private static final List<String> ORDERED = List.of("example.", "a.example.", "yljkjljk.a.example.", "Z.a.example.", "zABC.a.EXAMPLE.",
            "z.example.", "\\001.z.example.", "*.z.example.", "\\200.z.example.");

    @Test
    void setsComeInCanonicalOrder() {
        List<String> shuffled = new ArrayList<>(ORDERED);
        Collections.shuffle(shuffled, new Random(1));
        StaticZoneBuilder builder = new StaticZoneBuilder(ORIGIN);
        builder.add(ORIGIN, DnsType.SOA, 60, SOA);
        shuffled.forEach(name -> builder.add(WireName.parse(name), DnsType.A, 60, new byte[4]));
        List<WireName> owners = new ArrayList<>();
        builder.build().sets().forEach(set -> owners.add(set.owner()));
        assertThat(owners).containsExactlyElementsOf(ORDERED.stream().map(WireName::parse).toList());
    }

    @Test
    void aRecordThatIsThereTwiceIsToldOnceAndTheLowestTtlIsThatOfTheSet() {
        StaticZoneBuilder builder = new StaticZoneBuilder(ORIGIN);
        builder.add(ORIGIN, DnsType.SOA, 60, SOA);
        WireName name = WireName.parse("a.example.");
        for (int ttl : new int[] {300, 200, 300}) {
            builder.add(name, DnsType.A, ttl, new byte[4]);
        }
        builder.add(name, DnsType.A, 400, new byte[] {1, 2, 3, 4});
        RrSet set = builder.build().sets().iterator().next();
        assertThat(set.count()).isEqualTo(2);
        assertThat(set.ttl()).isEqualTo(200);
    }

    @Test
    void whatCannotBeServedIsRefused() {
        StaticZoneBuilder builder = new StaticZoneBuilder(ORIGIN);
        assertThat(builder.add(WireName.parse("a.example.org."), DnsType.A, 60, new byte[4])).as("not in the zone").isFalse();
        assertThatThrownBy(builder::build).hasMessageContaining("has no SOA record for origin example.");
        assertThatThrownBy(() -> builder.add(WireName.parse("a.example."), DnsType.SOA, 60, SOA)).hasMessageContaining("does not match origin");
        assertThatThrownBy(() -> builder.add(ORIGIN, DnsType.NSEC3PARAM, 60, new byte[5])).hasMessageContaining("sign the zone with NSEC");
    }

    @Test
    void aLargeSetIsCutIntoPiecesThatFit() {
        StaticZoneBuilder builder = new StaticZoneBuilder(ORIGIN);
        builder.add(ORIGIN, DnsType.SOA, 60, SOA);
        for (int i = 1; i <= 100; i++) {
            builder.add(WireName.parse("t.example."), DnsType.TXT, 60, Rdata.txt("x".repeat(i)));
        }
        RrSet set = builder.build().sets().iterator().next();
        int fitting = set.fitting(1000);
        RrSet first = set.slice(0, fitting);
        RrSet rest = set.slice(fitting, set.count());
        assertThat(first.wireSize()).isBetween(900, 1000);
        assertThat(first.wireSize() + rest.wireSize()).isEqualTo(set.wireSize());
        assertThat(rest.count()).isEqualTo(100 - fitting);
        assertThat(rest.data(0)).isEqualTo(set.data(fitting));
    }
}
