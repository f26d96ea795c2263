package dev.cairn.plugin.rewrite;

import dev.cairn.chain.Exchange;
import dev.cairn.pattern.NameText;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.QueryChange;
import dev.cairn.wire.QueryView;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes an EDNS option of the query for the plugins below. */
record EdnsRule(Action action, int code, OptionData data) implements Rule {
    enum Action {
        /** In place of one that is there, or beside others. */
        SET,
        /** Only if there is none. */
        APPEND,
        /** Only if there is one. */
        REPLACE,
        UNSET
    }

    @Override
    public boolean matches(QueryView query, NameText name) {
        return switch (action) {
            case SET, UNSET -> true;
            case APPEND -> query.option(code) < 0;
            case REPLACE -> query.option(code) >= 0;
        };
    }

    @Override
    public boolean apply(Exchange exchange, List<AnswerRule> back) {
        QueryView query = exchange.query();
        if (action == Action.UNSET) {
            if (query.option(code) >= 0) {
                new QueryChange(query).removeOption(code).apply();
            }
            return true;
        }
        byte[] bytes = data.of(exchange);
        if (bytes == null) {
            return false;
        }
        new QueryChange(query).setOption(code, bytes).apply();
        exchange.passOn(code, data.tellsClient());
        return true;
    }

    @Override
    public void bind(Function<String, @Nullable MetadataValue> metadata) {
        data.bind(metadata);
    }
}
