package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class UnitFactTest {
    /** Sections are tried by {@code CorefileFactsTest} and {@code KubernetesFactsTest}: a new one needs a test there. */
    @Test
    void thereAreNoOtherSectionsThanThoseThatAreTried() {
        assertThat(Facts.units().keySet().stream().collect(Collectors.toMap(key -> key, key -> UnitFact.of(key).size())))
                .isEqualTo(Map.of("parse_request", 11, "parse_request_invalid", 6, "endpoint_label", 8, "cidr_to_reverse_zones", 5,
                        "corefile_lexer", 14, "kubernetes_directive", 52));
    }
}
