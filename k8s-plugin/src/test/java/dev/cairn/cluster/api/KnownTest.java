package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownTest {
    @Test
    void does_what_a_map_does() {
        Random random = new Random(1);
        Known known = new Known();
        Map<String, String> model = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            String namespace = "ns" + random.nextInt(5);
            String name = "object" + random.nextInt(400);
            String version = Integer.toString(random.nextInt(3));
            switch (random.nextInt(3)) {
                case 0 -> {
                    known.put(namespace, name, version);
                    model.put(namespace + "/" + name, version);
                }
                case 1 -> {
                    assertThat(known.contains(namespace, name)).isEqualTo(model.remove(namespace + "/" + name) != null);
                    known.remove(namespace, name);
                }
                default -> {
                    boolean current = version.equals(model.get(namespace + "/" + name));
                    assertThat(known.isCurrent(namespace, name, version)).isEqualTo(current);
                }
            }
            assertThat(known.size()).isEqualTo(model.size());
        }
    }

    @Test
    void a_list_finds_what_vanished() {
        Known known = new Known();
        known.begin();
        for (int i = 0; i < 1000; i++) {
            known.put("ns", "object" + i, "1");
        }
        known.begin();
        for (int i = 0; i < 1000; i += 2) {
            if (i % 4 == 0) {
                assertThat(known.isCurrent("ns", "object" + i, "1")).isTrue();
            } else {
                known.keep("ns", "object" + i);
            }
        }
        Set<String> vanished = new HashSet<>();
        known.sweep((namespace, name) -> vanished.add(namespace + "/" + name));
        assertThat(vanished).hasSize(500).contains("ns/object1").doesNotContain("ns/object2");
        assertThat(known.size()).isEqualTo(500);
        assertThat(known.isCurrent("ns", "object2", "1")).isTrue();
        assertThat(known.isCurrent("ns", "object3", "1")).isFalse();
    }
}
