package dev.cairn.zone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointList;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRecordsTest {
    private static final WireName NAME = WireName.parse("db.shop.svc.cluster.local");

    private static List<Address> random(int size, boolean ipv4) {
        Random random = new Random(size);
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            byte[] bytes = new byte[ipv4 ? 4 : 16];
            bytes[0] = 10;
            bytes[bytes.length - 2] = (byte) (random.nextInt(size) >> 9);
            bytes[bytes.length - 1] = (byte) (random.nextInt(size) / 2);
            addresses.add(Address.of(bytes));
        }
        return addresses;
    }

    private static List<Address> addresses(RrSet set) {
        return IntStream.range(0, set.count()).mapToObj(i -> Address.of(set.data(i))).toList();
    }

    @ParameterizedTest(name = "{0} addresses")
    @ValueSource(ints = {1, 2, 8, 9, 15, 16, 17, 31, 32, 33, 100, 1000, 3000})
    void addresses_are_kept_as_in_a_set_of_the_jdk(int size) {
        for (boolean ipv4 : new boolean[] {true, false}) {
            List<Address> some = random(size, ipv4);
            Set<Address> expected = new LinkedHashSet<>(some);
            AddressRecords records = new AddressRecords(ipv4);
            some.subList(0, size / 2).forEach(records::add);
            records.addReady(EndpointList.of(some.subList(size / 2, size).stream().map(one -> new EndpointFact(one, true, "", "", "", "")).toList()));
            RrSet set = Objects.requireNonNull(records.set(NAME, 30));
            assertThat(set.type()).isEqualTo(ipv4 ? DnsType.A : DnsType.AAAA);
            assertThat(addresses(set)).containsExactlyElementsOf(expected.stream().limit(60_000 / (ipv4 ? 16 : 28)).toList());
        }
    }

    @Test
    void what_is_of_the_other_family_or_not_ready_is_left_out() {
        AddressRecords records = new AddressRecords(true);
        Address other = Objects.requireNonNull(Address.parse("fd00::1"));
        Address resting = Objects.requireNonNull(Address.parse("10.0.0.1"));
        records.add(other);
        records.addReady(EndpointList.of(List.of(new EndpointFact(other, true, "", "", "", ""), new EndpointFact(resting, false, "", "", "", ""))));
        assertThat(records.set(NAME, 30)).isNull();
    }
}
