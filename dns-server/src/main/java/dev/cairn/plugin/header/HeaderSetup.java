package dev.cairn.plugin.header;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.wire.HeaderFlag;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads {@code header}. */
public final class HeaderSetup implements PluginSetup {
    private static final String USAGE = "query|response set|clear aa|ra|rd...";
    private static final Map<String, Boolean> ACTIONS = Map.of("set", true, "clear", false);
    private static final Map<String, Integer> FLAGS = Map.of("aa", HeaderFlag.AA, "ra", HeaderFlag.RA, "rd", HeaderFlag.RD);

    @Override
    public String name() {
        return "header";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        FlagChange query = FlagChange.NONE;
        FlagChange response = FlagChange.NONE;
        for (Use use : uses) {
            use.expect(0, 0, "header { " + USAGE + " }");
            if (use.block().isEmpty()) {
                use.error("has no rules: write lines of " + USAGE + " in a block after it");
            }
            for (Use line : use.block()) {
                switch (line.name().toLowerCase(Locale.ROOT)) {
                    case "query" -> query = rule(line, query);
                    case "response" -> response = rule(line, response);
                    default -> line.unknown(List.of("query", "response"));
                }
            }
        }
        block.add(new HeaderPlugin(query, response));
    }

    private static FlagChange rule(Use line, FlagChange before) {
        FlagChange change = before;
        if (line.expect(2, Integer.MAX_VALUE, USAGE)) {
            boolean on = line.choice(0, ACTIONS, true);
            for (int i = 1; i < line.count(); i++) {
                change = change.then(line.choice(i, FLAGS, 0), on);
            }
        }
        return change;
    }
}
