package dev.cairn.plugin.nsid;

import dev.cairn.chain.AnswerHook;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;

/** Adds the NSID option to answers of queries that have one. */
final class NsidPlugin implements AnswerHook {
    /** RFC 5001 section 2.3. */
    private static final int NSID = 3;

    private final byte[] data;

    NsidPlugin(byte[] data) {
        this.data = data;
    }

    @Override
    public String name() {
        return "nsid";
    }

    @Override
    public Step answer(Exchange exchange) {
        if (exchange.query().option(NSID) >= 0) {
            exchange.answer().addOption(NSID, data);
        }
        return Step.ANSWERED;
    }
}
