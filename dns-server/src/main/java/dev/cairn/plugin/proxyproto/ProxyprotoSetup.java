package dev.cairn.plugin.proxyproto;

import dev.cairn.corefile.Transport;
import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.ProxyProtocol;
import dev.cairn.plugin.ProxyProtocol.Action;
import dev.cairn.wire.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code proxyproto}. */
public final class ProxyprotoSetup implements PluginSetup {
    private static final Map<String, Action> ACTIONS =
            Map.of("use", Action.USE, "ignore", Action.IGNORE, "reject", Action.REJECT, "skip", Action.SKIP);
    private static final List<String> PROPERTIES = List.of("allow", "default", "udp_session_tracking", "tlv_metadata");
    private static final int MAX_SESSIONS = 10_240;
    private static final Duration MAX_DURATION = Duration.ofHours(24);

    @Override
    public String name() {
        return "proxyproto";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        use.expect(0, 0, "proxyproto { ... }");
        if (block.keys().stream().anyMatch(key -> key.transport() == Transport.QUIC)) {
            use.error("PROXY headers are not read on quic://; move the quic:// key to a block of its own without it");
        }
        Reading reading = new Reading();
        use.block().forEach(reading::line);
        ProxyProtocol protocol = reading.result();
        block.listenSettings(block.listenSettings().withProxy(protocol));
        if (protocol.tlvs()) {
            block.add(new ProxyprotoPlugin());
        }
    }

    private static final class Reading {
        private final List<Network> trusted = new ArrayList<>();
        private @Nullable Action others;
        private Duration sessions = Duration.ZERO;
        private int maxSessions = MAX_SESSIONS;
        private boolean tlvs;

        void line(Use line) {
            switch (line.name()) {
                case "allow" -> allow(line);
                case "default" -> {
                    if (line.expect(1, 1, "default use|ignore|reject|skip")) {
                        others = line.choice(0, ACTIONS, Action.IGNORE);
                    }
                }
                case "udp_session_tracking" -> {
                    if (line.expect(1, 2, "udp_session_tracking DURATION [MAX_SESSIONS]")) {
                        sessions = line.durationArg(0, Duration.ZERO, MAX_DURATION, Duration.ZERO);
                        maxSessions = line.intArg(1, 1, Integer.MAX_VALUE, MAX_SESSIONS);
                    }
                }
                case "tlv_metadata" -> tlvs |= line.expect(0, 0, "tlv_metadata");
                default -> line.unknown(PROPERTIES);
            }
        }

        private void allow(Use line) {
            for (String arg : line.args()) {
                Network network = arg.indexOf('/') < 0 ? null : Network.parse(arg);
                if (network == null) {
                    line.error("\"" + arg + "\" is not a network: write it with the length of its prefix, such as"
                            + " 10.0.0.0/8 or 192.0.2.1/32");
                } else {
                    trusted.add(network);
                }
            }
        }

        ProxyProtocol result() {
            Action unlisted = trusted.isEmpty() ? Action.USE : Action.IGNORE;
            return new ProxyProtocol(trusted, others == null ? unlisted : others, sessions, maxSessions, tlvs);
        }
    }
}
