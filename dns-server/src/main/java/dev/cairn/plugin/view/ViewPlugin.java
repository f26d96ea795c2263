package dev.cairn.plugin.view;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.RouteFilter;
import dev.cairn.expression.Expression;
import dev.cairn.expression.Frame;
import dev.cairn.plugin.MetadataProvider;
import dev.cairn.plugin.MetadataValue;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Admits the queries for which all conditions hold. */
final class ViewPlugin implements Plugin, MetadataProvider, RouteFilter {
    private final String view;
    private final Expression[] conditions;

    ViewPlugin(String view, List<Expression> conditions) {
        this.view = view;
        this.conditions = conditions.toArray(Expression[]::new);
    }

    @Override
    public String name() {
        return "view";
    }

    @Override
    public Map<String, MetadataValue> metadata() {
        return Map.of("view/name", _ -> view);
    }

    void bind(Function<String, @Nullable MetadataValue> metadata) {
        for (Expression condition : conditions) {
            condition.bind(metadata);
        }
    }

    @Override
    public boolean admits(Exchange exchange) {
        for (Expression condition : conditions) {
            if (!condition.isTrue(exchange, Frame.NONE)) {
                return false;
            }
        }
        return true;
    }
}
