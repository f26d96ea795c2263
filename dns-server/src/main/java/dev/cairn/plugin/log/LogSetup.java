package dev.cairn.plugin.log;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code log}. */
public final class LogSetup implements PluginSetup {
    private static final Map<String, ResponseClass> CLASSES =
            Arrays.stream(ResponseClass.values()).collect(Collectors.toUnmodifiableMap(ResponseClass::word, one -> one));

    @Override
    public String name() {
        return "log";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        List<LogPlugin.Rule> rules = new ArrayList<>();
        uses.forEach(use -> read(use, rules));
        LogPlugin plugin = new LogPlugin(rules);
        block.add(plugin);
        block.onStart(() -> plugin.bind(block::metadata));
    }

    private static void read(Use use, List<LogPlugin.Rule> rules) {
        List<String> names = new ArrayList<>(use.args());
        String format = LineFormat.COMMON;
        if (!names.isEmpty() && names.getLast().contains("{")) {
            format = names.removeLast().replace("{common}", LineFormat.COMMON).replace("{combined}", LineFormat.COMBINED);
            if (names.isEmpty()) {
                use.warning("a format without a name is taken to be for all names, where CoreDNS takes it for a name and logs nothing;"
                        + " write: log . FORMAT");
            }
        }
        if (names.isEmpty()) {
            names.add(".");
        }
        Set<ResponseClass> classes = classes(use);
        LineFormat parsed = LineFormat.parse(format);
        for (String name : names) {
            try {
                rules.add(new LogPlugin.Rule(WireName.parse(name), parsed, classes));
            } catch (IllegalArgumentException e) {
                use.error(e.getMessage() + "; write: log [NAMES...] [FORMAT]");
            }
        }
    }

    /** The classes of all lines of the block together; empty, which stands for all, if there are none or {@code all} is among them. */
    private static Set<ResponseClass> classes(Use use) {
        Set<ResponseClass> classes = EnumSet.noneOf(ResponseClass.class);
        for (Use line : use.block()) {
            if (!line.name().equals("class")) {
                line.unknown(List.of("class"));
                continue;
            }
            line.expect(1, Integer.MAX_VALUE, "class all|denial|error|success...");
            for (int i = 0; i < line.count(); i++) {
                classes.add(line.choice(i, CLASSES, ResponseClass.ALL));
            }
        }
        return classes.contains(ResponseClass.ALL) ? Set.of() : classes;
    }
}
