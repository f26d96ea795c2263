package dev.cairn.zone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.wire.Packet;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameMapTest {
    private static String randomName(Random random) {
        StringBuilder name = new StringBuilder();
        for (int labels = 1 + random.nextInt(4); labels > 0; labels--) {
            for (int i = random.nextInt(6); i >= 0; i--) {
                name.append((char) ('a' + random.nextInt(4)));
            }
            name.append('.');
        }
        return name.append("svc.cluster.local.").toString();
    }

    @ParameterizedTest(name = "{0} names")
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 7, 8, 9, 1000, 20_000})
    void a_map_answers_as_a_hash_map_does(int size) {
        Random random = new Random(size);
        Map<String, Integer> expected = new HashMap<>();
        while (expected.size() < size) {
            expected.put(randomName(random), expected.size());
        }
        NameMap<Integer> map = of(expected);
        assertThat(map.size()).isEqualTo(size);
        expected.forEach((name, value) -> {
            assertThat(map.get(Packet.query(name, 1).view())).isEqualTo(value);
            assertThat(map.get(Packet.query(name.toUpperCase(Locale.ROOT), 1).view())).isEqualTo(value);
        });
        for (int i = 0; i < 5_000; i++) {
            String name = randomName(random);
            assertThat(map.get(Packet.query(name, 1).view())).as(name).isEqualTo(expected.get(name));
        }
    }

    @Test
    void a_suffix_is_looked_up_as_the_name_it_is() {
        Random random = new Random(7);
        Map<String, Integer> expected = new HashMap<>();
        while (expected.size() < 3_000) {
            expected.put(randomName(random), expected.size());
        }
        expected.put(".", -1);
        expected.put("cluster.local.", -2);
        NameMap<Integer> map = of(expected);
        for (int i = 0; i < 5_000; i++) {
            String suffix = randomName(random);
            QueryView query = Packet.query(suffix, 1).view();
            for (int label = 0; label < query.labelCount(); label++) {
                assertThat(map.getSuffix(query, label)).as(suffix).isEqualTo(expected.get(suffix));
                suffix = suffix.substring(suffix.indexOf('.') + 1);
            }
            assertThat(suffix).isEmpty();
            assertThat(map.getSuffix(query, query.labelCount())).as("the root").isEqualTo(-1);
        }
    }

    @Test
    void a_question_that_could_not_be_read_is_in_no_map() {
        QueryView query = new QueryView();
        Packet.query("a.org.", 1).readInto(query);
        Packet.header(0, 0, 0, 0, 0).readInto(query);
        assertThat(of(Map.of(".", 1, "a.org.", 2)).get(query)).isNull();
    }

    private static NameMap<Integer> of(Map<String, Integer> texts) {
        Map<WireName, Integer> names = new HashMap<>();
        texts.forEach((text, value) -> names.put(WireName.parse(text), value));
        return NameMap.copyOf(names);
    }
}
