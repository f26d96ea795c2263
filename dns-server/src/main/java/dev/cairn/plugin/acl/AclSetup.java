package dev.cairn.plugin.acl;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Network;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code acl}. */
public final class AclSetup implements PluginSetup {
    private static final Map<String, Action> ACTIONS =
            Map.of("allow", Action.ALLOW, "block", Action.BLOCK, "filter", Action.FILTER, "drop", Action.DROP);
    private static final String USAGE = "ACTION [type QTYPE...] [net SOURCE...]";
    private static final List<Network> EVERYWHERE =
            Stream.of("0.0.0.0/0", "::/0").map(all -> Objects.requireNonNull(Network.parse(all))).toList();

    @Override
    public String name() {
        return "acl";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        AclMetrics metrics = new AclMetrics(block.host().metrics());
        List<Rule> rules = new ArrayList<>();
        for (Use use : uses) {
            List<Policy> policies = use.block().stream().map(AclSetup::policy).toList();
            if (policies.isEmpty()) {
                use.warning("has no rules and allows everything: write lines of " + USAGE + " in a block after it");
            }
            rules.add(new Rule(block.zonesOr(use.zones(0)), policies, metrics));
        }
        block.add(new AclPlugin(rules, metrics.allowed()));
    }

    private static Policy policy(Use line) {
        Action action = ACTIONS.get(line.name().toLowerCase(Locale.ROOT));
        if (action == null) {
            line.unknown(ACTIONS.keySet());
        }
        Sections sections = new Sections(line);
        sections.read();
        return new Policy(action == null ? Action.BLOCK : action, sections.types, sections.networks());
    }

    /** Reads what follows the action: words that belong to the last {@code type} or {@code net} before them. */
    private static final class Sections {
        private final Use line;
        private final Set<Integer> types = new HashSet<>();
        private final List<Network> sources = new ArrayList<>();
        private boolean allTypes;
        private boolean everywhere = true;

        Sections(Use line) {
            this.line = line;
        }

        void read() {
            String section = "";
            int words = 0;
            for (String word : line.args()) {
                String lower = word.toLowerCase(Locale.ROOT);
                if (lower.equals("type") || lower.equals("net")) {
                    checkEnd(section, words);
                    section = lower;
                    words = 0;
                } else {
                    words++;
                    word(section, word);
                }
            }
            checkEnd(section, words);
            if (allTypes) {
                types.clear();
            }
        }

        private void checkEnd(String section, int words) {
            if (!section.isEmpty() && words == 0) {
                line.error("nothing follows \"" + section + "\": write " + (section.equals("type") ? "type QTYPE..." : "net SOURCE..."));
            }
        }

        private void word(String section, String word) {
            switch (section) {
                case "type" -> type(word);
                case "net" -> source(word);
                default -> line.error("unexpected \"" + word + "\": write " + USAGE);
            }
        }

        private void type(String word) {
            int type = DnsType.fromText(word);
            if (word.equals("*")) {
                allTypes = true;
            } else if (type < 0) {
                line.error("\"" + word + "\" is not a record type: write one such as A or AAAA, or * for all");
            } else {
                types.add(type);
            }
        }

        private void source(String word) {
            everywhere = false;
            Network network = Network.parse(word);
            if (word.equals("*")) {
                sources.addAll(EVERYWHERE);
            } else if (network == null) {
                line.error("\"" + word + "\" is not a source: write an address, a network such as 10.0.0.0/8, or * for all");
            } else {
                sources.add(network);
            }
        }

        List<Network> networks() {
            return everywhere ? EVERYWHERE : sources;
        }
    }
}
