package dev.cairn.plugin.bind;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads {@code bind}. */
public final class BindSetup implements PluginSetup {
    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::");
    private static final String USAGE = "ADDRESS|IFACE...";

    @Override
    public String name() {
        return "bind";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Interfaces interfaces = interfaces(uses.getFirst());
        Set<String> all = new LinkedHashSet<>();
        for (Use use : uses) {
            use.expect(1, Integer.MAX_VALUE, "bind " + USAGE);
            List<String> addresses = addresses(use, interfaces);
            List<String> excepted = new ArrayList<>();
            for (Use line : use.block()) {
                if (line.name().equals("except")) {
                    line.expect(1, Integer.MAX_VALUE, "except " + USAGE);
                    excepted.addAll(addresses(line, interfaces));
                } else {
                    line.unknown(List.of("except"));
                }
            }
            if (!addresses.isEmpty() && excepted.containsAll(addresses)) {
                use.error("except leaves no address to listen on; remove it, or name more addresses");
            }
            addresses.stream().filter(address -> !excepted.contains(address)).forEach(all::add);
        }
        if (!all.isEmpty()) {
            // All addresses include the others, and each can be listened on once.
            block.listenHosts(all.stream().filter(WILDCARDS::contains).findFirst().map(List::of).orElse(List.copyOf(all)));
        }
    }

    private static Interfaces interfaces(Use use) {
        try {
            return Interfaces.ofMachine();
        } catch (SocketException e) {
            use.warning("failed to get interfaces list, cannot bind by interface name: " + e.getMessage());
            return Interfaces.NONE;
        }
    }

    private static List<String> addresses(Use use, Interfaces interfaces) {
        List<String> addresses = new ArrayList<>();
        for (String arg : use.args()) {
            try {
                addresses.addAll(interfaces.addresses(arg));
            } catch (IllegalArgumentException e) {
                use.error(String.valueOf(e.getMessage()));
            }
        }
        return addresses;
    }
}
