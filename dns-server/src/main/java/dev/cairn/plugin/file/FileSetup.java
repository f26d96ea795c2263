package dev.cairn.plugin.file;

import dev.cairn.authority.LiveZone;
import dev.cairn.authority.LiveZones;
import dev.cairn.authority.ZoneFileWatch;
import dev.cairn.corefile.Use;
import dev.cairn.log.Log;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.ZoneListener;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code file}. */
public final class FileSetup implements PluginSetup {
    private static final Log LOG = Log.plugin("file");
    private static final List<String> PROPERTIES = List.of("fallthrough", "reload", "reload_by_mtime");
    private static final Duration DEFAULT_RELOAD = Duration.ofMinutes(1);
    private static final Duration MAX_RELOAD = Duration.ofDays(365);

    @Override
    public String name() {
        return "file";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Map<WireName, ZoneFileWatch> watches = new LinkedHashMap<>();
        uses.forEach(use -> read(use, block, watches));
        FilePlugin plugin = new FilePlugin(new LiveZones(watches.values().stream().map(ZoneFileWatch::zone).toList()));
        block.add(plugin);
        block.onStart(() -> start(block, plugin, watches.values()));
        block.onStop(() -> watches.values().forEach(ZoneFileWatch::stop));
    }

    private static void start(Block block, FilePlugin plugin, Iterable<ZoneFileWatch> watches) throws IOException {
        for (ZoneFileWatch watch : watches) {
            watch.read();
        }
        if (block.plugins().getLast() == plugin) {
            plugin.last();
        }
        ZoneListener listener = ZoneListener.of(block);
        watches.forEach(watch -> watch.start(listener));
    }

    private static void read(Use use, Block block, Map<WireName, ZoneFileWatch> watches) {
        if (!use.expect(1, Integer.MAX_VALUE, "file DBFILE [ZONES...]")) {
            return;
        }
        Duration reload = DEFAULT_RELOAD;
        boolean byTime = false;
        List<WireName> through = List.of();
        for (Use line : use.block()) {
            switch (line.name()) {
                case "fallthrough" ->
                    through = line.count() == 0 ? List.of(WireName.ROOT) : line.zones(0).stream().map(WireName::parse).toList();
                case "reload" -> {
                    if (line.expect(1, 1, "reload DURATION (0 to read the file only once)")) {
                        reload = line.durationArg(0, Duration.ZERO, MAX_RELOAD, DEFAULT_RELOAD);
                    }
                }
                case "reload_by_mtime" -> byTime = line.expect(0, 0, "reload_by_mtime");
                case "upstream" -> line.warning("does nothing any more: remove it");
                default -> line.unknown(PROPERTIES);
            }
        }
        for (WireName zone : block.zonesOr(use.zones(1))) {
            LiveZone live = new LiveZone(zone, through);
            ZoneFileWatch watch = new ZoneFileWatch(live, block.file(use.arg(0)), reload, byTime, LOG, block.host().scheduler());
            if (watches.put(zone, watch) != null) {
                use.warning("zone " + zone + " is given more than one file in this block, and only the last counts: remove the others");
            }
        }
    }
}
