package dev.cairn.proxy.health;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** An answer in JSON. */
public record HealthAnswer(int status, Map<String, String> headers, String body) {
    public HealthAnswer {
        headers = Map.copyOf(headers);
    }

    void send(HttpExchange exchange) throws IOException {
        try (exchange) {
            headers.forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
