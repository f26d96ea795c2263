package dev.cairn.proxy;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.log.Log;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes events about this node to the API server, for those who look there and not into the log. Any thread may call it; none waits. A cluster
 * from files has no events, and one that does not allow them is named once.
 */
final class Events {
    private static final Log LOG = Log.server();
    private static final String COLLECTION = "/apis/events.k8s.io/v1/namespaces/default/events";
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    /** By the rules of the API. */
    private static final int LONGEST_NOTE = 1024;

    private final ClusterSource source;
    private final String node;
    private final AtomicBoolean told = new AtomicBoolean();

    Events(ClusterSource source, String node) {
        this.source = source;
        this.node = node;
    }

    /**
     * Writes a warning.
     *
     * @param reason in a word or several, such as {@code ModeNotAvailable}
     * @param action what was done about it, in the same form
     */
    void warn(String reason, String action, String note) {
        String json = json(reason, action, note, node, Instant.now());
        Thread.ofVirtual().start(() -> send(json));
    }

    private void send(String json) {
        try {
            source.create(COLLECTION, json);
        } catch (IOException e) {
            if (told.compareAndSet(false, true)) {
                LOG.info("events cannot be written: " + e.getMessage());
            }
        }
    }

    /** An event about a node, which like all that has no namespace is written in {@code default}. */
    static String json(String reason, String action, String note, String node, Instant time) {
        String text = note.length() > LONGEST_NOTE ? note.substring(0, LONGEST_NOTE - 3) + "..." : note;
        return "{\"apiVersion\":\"events.k8s.io/v1\",\"kind\":\"Event\",\"metadata\":{\"generateName\":\"" + node + "-\",\"namespace\":\"default\"},"
                + "\"eventTime\":\"" + MICROS.format(time) + "\",\"type\":\"Warning\",\"reason\":\"" + reason + "\",\"action\":\"" + action
                + "\",\"note\":\"" + escaped(text) + "\",\"reportingController\":\"cairn-proxy\",\"reportingInstance\":\"" + node
                + "\",\"regarding\":{\"kind\":\"Node\",\"name\":\"" + node + "\",\"uid\":\"" + node + "\"}}";
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else {
                out.append(c < ' ' ? ' ' : (char) c);
            }
        });
        return out.toString();
    }
}
