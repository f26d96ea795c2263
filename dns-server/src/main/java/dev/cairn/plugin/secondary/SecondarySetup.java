package dev.cairn.plugin.secondary;

import dev.cairn.authority.LiveZone;
import dev.cairn.authority.PeerAddress;
import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.ZoneListener;
import dev.cairn.wire.WireName;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code secondary}. */
public final class SecondarySetup implements PluginSetup {
    private static final List<String> PROPERTIES = List.of("fallthrough", "transfer");

    @Override
    public String name() {
        return "secondary";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        List<Served> served = new ArrayList<>();
        uses.forEach(use -> read(use, block, served));
        SecondaryPlugin plugin = new SecondaryPlugin(served);
        block.add(plugin);
        block.onStart(() -> {
            if (block.plugins().getLast() == plugin) {
                plugin.last();
            }
            SecondaryZones zones = block.host().process().get(SecondaryZones.class, SecondaryZones::new);
            ZoneListener listener = ZoneListener.of(block);
            served.forEach(one -> one.start(zones.acquire(
                    one.zone().origin(), one.primaries(), new SecondaryZone.Follower(one.zone(), listener))));
        });
        block.onStop(() -> served.forEach(Served::stop));
    }

    private static void read(Use use, Block block, List<Served> served) {
        List<InetSocketAddress> primaries = new ArrayList<>();
        List<WireName> through = List.of();
        for (Use line : use.block()) {
            switch (line.name()) {
                case "transfer" -> primaries.addAll(primaries(line));
                case "fallthrough" ->
                    through = line.count() == 0 ? List.of(WireName.ROOT) : line.zones(0).stream().map(WireName::parse).toList();
                case "catalog" -> line.error("catalog zones are not served: name each zone in a secondary line of its own");
                default -> line.unknown(PROPERTIES);
            }
        }
        if (use.block().stream().noneMatch(line -> line.name().equals("transfer"))) {
            use.error("does not say where to fetch the zone: add a line such as: transfer from 10.0.0.1");
        }
        for (WireName zone : block.zonesOr(use.zones(0))) {
            served.add(new Served(new LiveZone(zone, through), primaries));
        }
    }

    private static List<InetSocketAddress> primaries(Use line) {
        List<InetSocketAddress> primaries = new ArrayList<>();
        if (!line.expect(2, Integer.MAX_VALUE, "transfer from ADDRESS...")) {
            return primaries;
        }
        if (!line.arg(0).equals("from")) {
            line.error("\"" + line.arg(0) + "\" is not known here; write: transfer from ADDRESS...");
            return primaries;
        }
        for (String text : line.args().subList(1, line.count())) {
            try {
                primaries.add(PeerAddress.parse(text));
            } catch (IllegalArgumentException e) {
                line.error(String.valueOf(e.getMessage()));
            }
        }
        return primaries;
    }
}
