package dev.cairn.plugin.loadbalance;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.wire.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code loadbalance}. */
public final class LoadbalanceSetup implements PluginSetup {
    private static final Duration DEFAULT_RELOAD = Duration.ofSeconds(30);
    private static final Duration MAX_RELOAD = Duration.ofDays(365);

    @Override
    public String name() {
        return "loadbalance";
    }

    /** Of several uses the last says the policy, as in CoreDNS; preferred networks add up. */
    @Override
    public void setup(List<Use> uses, Block block) {
        List<Network> preferred = new ArrayList<>();
        FirstRecord first = FirstRecord.ROUND_ROBIN;
        WeightFile weights = null;
        for (Use use : uses) {
            Duration reload = readBlock(use, preferred);
            weights = readPolicy(use) ? new WeightFile(block.file(use.arg(1)), reload, block.host().scheduler()) : null;
        }
        if (weights != null) {
            first = weights;
            block.onStart(weights::start);
            block.onStop(weights::stop);
        }
        block.add(new LoadbalancePlugin(first, new Preference(preferred)));
    }

    /** Whether the policy is {@code weighted}, with its file. */
    private static boolean readPolicy(Use use) {
        return switch (use.arg(0, "round_robin")) {
            case "round_robin" -> {
                use.expect(0, 1, "loadbalance round_robin");
                yield false;
            }
            case "weighted" -> use.expect(2, 2, "loadbalance weighted WEIGHTFILE");
            default -> {
                use.error("unknown policy \"" + use.arg(0) + "\": write round_robin or weighted WEIGHTFILE");
                yield false;
            }
        };
    }

    private static Duration readBlock(Use use, List<Network> preferred) {
        boolean weighted = use.arg(0, "").equals("weighted");
        Duration reload = DEFAULT_RELOAD;
        for (Use line : use.block()) {
            if (line.name().equals("prefer")) {
                line.expect(1, Integer.MAX_VALUE, "prefer CIDR [CIDR...]");
                readNetworks(line, preferred);
            } else if (line.name().equals("reload") && weighted) {
                line.expect(1, 1, "reload DURATION (0s to read the file only once)");
                reload = line.durationArg(0, Duration.ZERO, MAX_RELOAD, DEFAULT_RELOAD);
            } else {
                line.unknown(weighted ? List.of("prefer", "reload") : List.of("prefer"));
            }
        }
        return reload;
    }

    private static void readNetworks(Use line, List<Network> preferred) {
        for (String text : line.args()) {
            Network network = text.indexOf('/') < 0 ? null : Network.parse(text);
            if (network == null) {
                line.error("\"" + text + "\" is not a network: write one as 10.9.20.0/24 or 2001:db8::/32");
            } else {
                preferred.add(network);
            }
        }
    }
}
