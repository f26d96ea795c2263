package dev.cairn.plugin.trace;

import dev.cairn.log.Log;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.Outbox;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Posts spans to a collector. Owned by the outbox's thread. A batch that is not taken is lost: spans are samples, and new ones come. */
final class SpanSender implements Outbox.Carrier<Span> {
    private static final Log LOG = Log.plugin("trace");
    private static final int TIMEOUT_MILLIS = 5000;

    private final URI collector;
    private final SpanFormat format;
    private final Counter dropped;
    private boolean failing;

    SpanSender(URI collector, SpanFormat format, Counter dropped) {
        this.collector = collector;
        this.format = format;
        this.dropped = dropped;
    }

    @Override
    public void carry(List<Span> batch) {
        try {
            post(format.body(batch).getBytes(StandardCharsets.UTF_8));
            if (failing) {
                LOG.info("spans reach " + collector + " again");
            }
            failing = false;
        } catch (IOException e) {
            dropped.add(batch.size());
            if (!failing) {
                LOG.warning("spans do not reach " + collector + ": " + e.getMessage() + "; they are lost until they do");
            }
            failing = true;
        }
    }

    private void post(byte[] body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) collector.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setInstanceFollowRedirects(false);
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
        int code = connection.getResponseCode();
        InputStream reply = code < 400 ? connection.getInputStream() : connection.getErrorStream();
        if (reply != null) {
            try (reply) {
                reply.readAllBytes(); // so that the connection can be used again
            }
        }
        if (code / 100 != 2) {
            throw new IOException("HTTP " + code);
        }
    }

    @Override
    public void close() {
        // Requests end by themselves after a few seconds, on a thread that does not keep the process.
    }
}
