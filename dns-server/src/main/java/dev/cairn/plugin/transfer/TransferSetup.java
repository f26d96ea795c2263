package dev.cairn.plugin.transfer;

import dev.cairn.authority.PeerAddress;
import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.ZoneSource;
import dev.cairn.wire.IpAddress;
import dev.cairn.wire.WireName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code transfer}. */
public final class TransferSetup implements PluginSetup {
    @Override
    public String name() {
        return "transfer";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        List<TransferRule> rules = uses.stream().map(use -> new Reader().read(use, block)).toList();
        Notifier notifier = new Notifier(block.host().scheduler());
        TransferPlugin plugin = new TransferPlugin(rules, notifier);
        SerialWatch watch = new SerialWatch(block.host().scheduler(), plugin);
        List<WireName> told = rules.stream().filter(rule -> !rule.peers().isEmpty()).flatMap(rule -> rule.zones().stream()).distinct().toList();
        block.add(plugin);
        block.onStart(() -> {
            List<ZoneSource> sources = block.plugins().stream().filter(ZoneSource.class::isInstance).map(ZoneSource.class::cast).toList();
            plugin.sources(sources);
            watch.start(told, sources);
        });
        block.onStop(watch::stop);
        block.onStop(notifier::stop);
    }

    /** Reads one directive, line by line. */
    private static final class Reader {
        private final List<InetSocketAddress> peers = new ArrayList<>();
        private boolean anybody;
        private @Nullable InetAddress source;

        TransferRule read(Use use, Block block) {
            Use.onlyOnce(use.block().stream().filter(line -> line.name().equals("source")).toList());
            for (Use line : use.block()) {
                switch (line.name()) {
                    case "to" -> to(line);
                    case "source" -> source(line);
                    default -> line.unknown(List.of("source", "to"));
                }
            }
            if (use.block().stream().noneMatch(line -> line.name().equals("to"))) {
                use.error("'to' is required: add a line such as: to * (for anybody) or: to 10.0.0.1");
            }
            return new TransferRule(block.zonesOr(use.zones(0)), anybody, peers, source);
        }

        private void to(Use line) {
            if (!line.expect(1, Integer.MAX_VALUE, "to ADDRESS...")) {
                return;
            }
            for (String text : line.args()) {
                if (text.equals("*")) {
                    anybody = true;
                    continue;
                }
                try {
                    peers.add(PeerAddress.parse(text));
                } catch (IllegalArgumentException e) {
                    line.error(String.valueOf(e.getMessage()));
                }
            }
        }

        private void source(Use line) {
            if (line.expect(1, 1, "source ADDRESS")) {
                if (IpAddress.parse(line.arg(0)) == null) {
                    line.error("\"" + line.arg(0) + "\" is not an IP address: write one of this machine, without a port");
                } else {
                    source = InetAddress.ofLiteral(line.arg(0));
                }
            }
        }
    }
}
