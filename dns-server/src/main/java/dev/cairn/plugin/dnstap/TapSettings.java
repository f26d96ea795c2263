package dev.cairn.plugin.dnstap;

import dev.cairn.plugin.Outbox;
import dev.cairn.tls.TlsFiles;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One use of the directive.
 *
 * @param listen whether collectors connect to the target, or else we do
 * @param full whether the messages themselves are sent along
 * @param writeBuffer the size of the send buffer, in bytes
 * @param queue how many messages may wait
 * @param extra the text of the field of that name with places for what is known of a query; empty for none
 * @param skipVerify whether to take any certificate of a sink
 * @param tls who to be to collectors; null if connections are not encrypted, or not made by them
 */
record TapSettings(Target target, boolean listen, boolean full, int writeBuffer, int queue, String identity, String version, String extra,
        boolean skipVerify, @Nullable TlsFiles tls) {
    private static final int BATCH = 512;

    Outbox.Size outboxSize() {
        return new Outbox.Size(queue, BATCH, Duration.ZERO);
    }

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
            Network at(int otherPort) {
                return new Network(host, otherPort, tls);
            }

            @Override
            public String toString() {
                return (tls ? "tls://" : "tcp://") + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
            }
        }

        /**
         * Reads what stands in the Corefile; null if it is neither a path nor a proper URL.
         *
         * @param listen whether the host may be left out, which means all addresses of this machine
         */
        static @Nullable Target parse(String text, boolean listen) {
            boolean tls = text.startsWith("tls://");
            if (!tls && !text.startsWith("tcp://")) {
                String path = text.startsWith("unix://") ? text.substring("unix://".length()) : text;
                return path.isEmpty() ? null : new Unix(path);
            }
            try {
                URI uri = new URI(listen ? text.replace("://:", "://0.0.0.0:") : text);
                String host = uri.getHost();
                boolean proper = host != null && uri.getPort() >= (listen ? 0 : 1) && uri.getPort() <= 65_535;
                return proper ? new Network(host.replaceAll("[\\[\\]]", ""), uri.getPort(), tls) : null;
            } catch (URISyntaxException e) {
                return null;
            }
        }
    }
}
