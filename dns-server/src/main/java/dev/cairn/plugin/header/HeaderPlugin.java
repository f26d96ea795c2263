package dev.cairn.plugin.header;

import dev.cairn.chain.AnswerHook;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;

/** Changes flags of the query for the plugins below, and of the reply for the client. */
final class HeaderPlugin implements AnswerHook {
    private final FlagChange query;
    private final FlagChange response;

    HeaderPlugin(FlagChange query, FlagChange response) {
        this.query = query;
        this.response = response;
    }

    @Override
    public String name() {
        return "header";
    }

    @Override
    public Step query(Exchange exchange) {
        exchange.query().flags(query.apply(exchange.query().flags()));
        return Step.NEXT;
    }

    @Override
    public Step answer(Exchange exchange) {
        exchange.answer().clear(response.clear());
        exchange.answer().set(response.set());
        return Step.ANSWERED;
    }
}
