package dev.cairn.plugin.autopath;

import dev.cairn.chain.Plugin;
import dev.cairn.corefile.Use;
import dev.cairn.log.Log;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.RouteCounter;
import dev.cairn.plugin.SearchList;
import dev.cairn.plugin.SearchPaths;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads {@code autopath}. */
public final class AutopathSetup implements PluginSetup {
    private static final Log LOG = Log.plugin("autopath");

    @Override
    public String name() {
        return "autopath";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        if (!use.expect(1, Integer.MAX_VALUE, "autopath [ZONE...] RESOLV-CONF|@kubernetes")) {
            return;
        }
        use.block().forEach(line -> line.unknown(List.of()));
        String source = use.arg(use.count() - 1);
        List<String> named = use.zones(0, use.count() - 1);
        CounterFamily success = block.host().metrics().counter(
                "coredns_autopath_success_total", "Counter of requests that did autopath.", "server");
        AutopathPlugin plugin = new AutopathPlugin(block.zonesOr(named), new RouteCounter(route -> success.with(route.server())));
        block.add(plugin);
        if (source.startsWith("@")) {
            block.onStart(() -> plugin.follow(pathsOf(source.substring(1), block)));
        } else {
            List<WireName> list = read(use, source);
            plugin.follow(_ -> list);
        }
    }

    private static List<WireName> read(Use use, String file) {
        try {
            return SearchList.read(Path.of(file));
        } catch (NoSuchFileException e) {
            use.error("\"" + file + "\" does not exist; name a file like /etc/resolv.conf, or a plugin, as in autopath @kubernetes");
        } catch (IOException e) {
            use.error("\"" + file + "\" cannot be used: " + e.getMessage());
        }
        return List.of();
    }

    /** As in CoreDNS the plugin need not be there. What it cannot do is no error either, since the server answers all the same. */
    private static AutopathPlugin.Paths pathsOf(String name, Block block) throws IOException {
        for (Plugin plugin : block.plugins()) {
            if (plugin.name().equals(name)) {
                if (!(plugin instanceof SearchPaths paths)) {
                    throw new IOException("plugin/autopath: " + name + " does not know search paths; write autopath @kubernetes, or name a file");
                }
                if (paths.knowsSearchPaths()) {
                    return paths::searchPath;
                }
                LOG.warning("@" + name + " knows no pods, so that nothing is looked up by search paths: set 'pods verified' in its block");
                return _ -> List.of();
            }
        }
        LOG.warning("there is no " + name + " in this server block, so that nothing is looked up by search paths: add it or remove autopath");
        return _ -> List.of();
    }
}
