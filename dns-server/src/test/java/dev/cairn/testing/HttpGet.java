package dev.cairn.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The answer to a GET, as a probe sees it. */
public record HttpGet(int status, String body) {
    /** Asks; a {@link java.net.ConnectException} means that nobody listens. */
    public static HttpGet of(URI uri) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestProperty("Connection", "close");
        connection.setConnectTimeout(5000);
        connection.setReadTimeout(5000);
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new HttpGet(status, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
