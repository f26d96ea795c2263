package dev.cairn.plugin.dnstap;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * One use of the directive.
 *
 * @param full whether the messages themselves are sent along
 * @param writeBuffer the size of the send buffer, in bytes
 * @param queue how many messages may wait
 * @param extra the text of the field of that name with places for what is known of a query; empty for none
 */
record TapSettings(
        Target target, boolean full, int writeBuffer, int queue, String identity, String version, String extra, boolean skipVerify) {
    /** Where the messages go. */
    sealed interface Target {
        /** A socket file. */
        record Unix(String path) implements Target {
            @Override
            public String toString() {
                return path;
            }
        }

        /** A port of a machine. */
        record Network(String host, int port, boolean tls) implements Target {
            @Override
            public String toString() {
                return (tls ? "tls://" : "tcp://") + host + ":" + port;
            }
        }

        /** Reads what stands in the Corefile; null if it is neither a path nor a proper URL. */
        static @Nullable Target parse(String text) {
            boolean tls = text.startsWith("tls://");
            if (!tls && !text.startsWith("tcp://")) {
                String path = text.startsWith("unix://") ? text.substring("unix://".length()) : text;
                return path.isEmpty() ? null : new Unix(path);
            }
            try {
                URI uri = new URI(text);
                String host = uri.getHost();
                return host == null || uri.getPort() < 0 ? null : new Network(host.replaceAll("[\\[\\]]", ""), uri.getPort(), tls);
            } catch (URISyntaxException e) {
                return null;
            }
        }
    }
}
