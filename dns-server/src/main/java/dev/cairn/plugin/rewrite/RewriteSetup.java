package dev.cairn.plugin.rewrite;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code rewrite}. */
public final class RewriteSetup implements PluginSetup {
    @Override
    public String name() {
        return "rewrite";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        List<RewritePlugin.Line> lines = new ArrayList<>();
        for (Use use : uses) {
            try {
                lines.add(line(use));
            } catch (IllegalArgumentException e) {
                use.error(String.valueOf(e.getMessage()));
            }
        }
        RewritePlugin plugin = new RewritePlugin(lines);
        block.add(plugin);
        block.onStart(() -> plugin.bind(block::metadata));
    }

    private static RewritePlugin.Line line(Use use) {
        List<String> words = new ArrayList<>(use.args());
        for (Use line : use.block()) {
            words.add(line.name());
            words.addAll(line.args());
        }
        boolean goesOn = !words.isEmpty() && words.getFirst().equalsIgnoreCase("continue");
        if (goesOn || (!words.isEmpty() && words.getFirst().equalsIgnoreCase("stop"))) {
            words.removeFirst();
        }
        if (words.isEmpty()) {
            throw new IllegalArgumentException("no field is named; write: rewrite [continue|stop] " + String.join("|", RuleReader.FIELDS)
                    + " ...");
        }
        return new RewritePlugin.Line(RuleReader.read(words), goesOn);
    }
}
