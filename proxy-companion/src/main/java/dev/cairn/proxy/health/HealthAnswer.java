package dev.cairn.proxy.health;

import dev.cairn.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What is told of health.
 *
 * @param headers with one for the type of the body
 */
public record HealthAnswer(int status, Map<String, String> headers, String body) {
    public HealthAnswer {
        headers = Map.copyOf(headers);
    }

    HttpReply reply() {
        Map<String, String> others = new HashMap<>(headers);
        String type = Objects.requireNonNull(others.remove("Content-Type"), "every answer says what it is");
        return new HttpReply(status, type, others, body.getBytes(StandardCharsets.UTF_8));
    }
}
