package dev.cairn.server;

import dev.cairn.corefile.NearestWord;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.Token;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.whoami.WhoamiSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every plugin CoreDNS has, in the order in which a query meets them, whatever the order in the file. Adding one is putting its set-up in the
 * place of its name.
 */
public final class PluginList {
    private static final Map<String, Entry> ENTRIES = new LinkedHashMap<>();

    static {
        absent("root", "soon");
        present(new WhoamiSetup());
    }

    private sealed interface Entry {}

    private record Present(PluginSetup setup) implements Entry {}

    /** @param advice what to do instead */
    private record Absent(String advice) implements Entry {}

    private PluginList() {}

    private static void present(PluginSetup setup) {
        ENTRIES.put(setup.name(), new Present(setup));
    }

    private static void absent(String name, String advice) {
        ENTRIES.put(name, new Absent(advice));
    }

    /** The plugins that are here. */
    public static List<PluginSetup> inOrder() {
        return ENTRIES.values().stream().filter(Present.class::isInstance).map(entry -> ((Present) entry).setup()).toList();
    }

    /** Whether the directive is a plugin that is here; if not, says so. */
    static boolean check(Token directive, Problems problems) {
        String name = directive.text();
        return switch (ENTRIES.get(name)) {
            case Present _ -> true;
            case Absent(String advice) -> {
                problems.error(directive.at(), "plugin '" + name + "' is CoreDNS's but not in Cairn: " + advice);
                yield false;
            }
            case null -> {
                String near = NearestWord.of(name, ENTRIES.keySet());
                problems.error(directive.at(), "unknown plugin '" + name + "'; "
                        + (near == null ? "'cairn plugins' lists those there are" : "did you mean '" + near + "'?"));
                yield false;
            }
        };
    }
}
