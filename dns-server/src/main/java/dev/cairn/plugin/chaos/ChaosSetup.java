package dev.cairn.plugin.chaos;

import dev.cairn.build.BuildInfo;
import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.HostName;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NameMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code chaos}. */
public final class ChaosSetup implements PluginSetup {
    private static final String DEFAULT_AUTHORS = "The Cairn authors";

    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        for (Use use : uses) {
            use.block().forEach(line -> line.unknown(List.of()));
        }
        Use use = uses.getFirst();
        String version = use.arg(0, "Cairn-" + BuildInfo.version());
        List<String> authors = use.count() > 1 ? use.args().subList(1, use.count()) : List.of(DEFAULT_AUTHORS);
        String host = HostName.get();
        Map<WireName, RrSet> answers = new HashMap<>();
        add(answers, "version.bind.", List.of(version));
        add(answers, "version.server.", List.of(version));
        add(answers, "authors.bind.", authors.stream().distinct().sorted().toList());
        add(answers, "hostname.bind.", List.of(host));
        add(answers, "id.server.", List.of(host));
        block.add(new ChaosPlugin(NameMap.copyOf(answers)));
    }

    private static void add(Map<WireName, RrSet> answers, String name, List<String> texts) {
        WireName owner = WireName.parse(name);
        answers.put(owner, RrSet.of(owner, DnsType.TXT, DnsClass.CH, 0, texts.stream().map(Rdata::txt).toList()));
    }
}
