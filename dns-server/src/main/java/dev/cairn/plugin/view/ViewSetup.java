package dev.cairn.plugin.view;

import dev.cairn.corefile.Use;
import dev.cairn.expression.Expression;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code view}. */
public final class ViewSetup implements PluginSetup {
    @Override
    public String name() {
        return "view";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        use.expect(1, 1, "view NAME { expr EXPRESSION }");
        List<Expression> conditions = new ArrayList<>();
        for (Use line : use.block()) {
            if (!line.name().equals("expr")) {
                line.unknown(List.of("expr"));
                continue;
            }
            if (line.expect(1, Integer.MAX_VALUE, "expr EXPRESSION")) {
                try {
                    conditions.add(Expression.condition(String.join(" ", line.args()), new Expression.Names(false)));
                } catch (IllegalArgumentException e) {
                    line.error(String.valueOf(e.getMessage()));
                }
            }
        }
        ViewPlugin plugin = new ViewPlugin(use.arg(0, ""), conditions);
        block.add(plugin);
        block.view(use.arg(0, ""), plugin);
        block.onStart(() -> plugin.bind(block::metadata));
    }
}
