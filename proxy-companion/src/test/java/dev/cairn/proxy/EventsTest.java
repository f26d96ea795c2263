package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventsTest {
    @Test
    void an_event_is_about_the_node() {
        assertThat(Events.json("ModeNotAvailable", "UseOtherMode", "no \"ip_vs\"\nhere", "n1", Instant.parse("2026-01-02T03:04:05.678Z"))).isEqualTo(
                "{\"apiVersion\":\"events.k8s.io/v1\",\"kind\":\"Event\",\"metadata\":{\"generateName\":\"n1-\",\"namespace\":\"default\"},"
                        + "\"eventTime\":\"2026-01-02T03:04:05.678000Z\",\"type\":\"Warning\",\"reason\":\"ModeNotAvailable\","
                        + "\"action\":\"UseOtherMode\",\"note\":\"no \\\"ip_vs\\\" here\",\"reportingController\":\"cairn-proxy\","
                        + "\"reportingInstance\":\"n1\",\"regarding\":{\"kind\":\"Node\",\"name\":\"n1\",\"uid\":\"n1\"}}");
    }

    @Test
    void a_note_is_no_longer_than_the_api_takes() {
        String json = Events.json("R", "A", "x".repeat(2000), "n1", Instant.EPOCH);
        assertThat(json).contains("\"note\":\"" + "x".repeat(1021) + "...\"");
    }
}
