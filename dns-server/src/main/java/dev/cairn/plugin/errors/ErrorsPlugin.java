package dev.cairn.plugin.errors;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.FinishHook;
import dev.cairn.log.Log;
import dev.cairn.log.RateLimit;
import dev.cairn.wire.DnsType;
import java.util.List;

/** Logs what went wrong with a query, unless it is to be consolidated with others like it. */
final class ErrorsPlugin implements FinishHook {
    static final Log LOG = Log.plugin("errors");

    private final List<Consolidation> consolidations;
    private final RateLimit lines;

    /** @param lines keeps lines few that are not consolidated */
    ErrorsPlugin(List<Consolidation> consolidations, RateLimit lines) {
        this.lines = lines;
        this.consolidations = List.copyOf(consolidations);
    }

    @Override
    public String name() {
        return "errors";
    }

    @Override
    public void finished(Exchange exchange) {
        String error = exchange.error();
        if (error != null) {
            log(exchange, error);
        }
    }

    private void log(Exchange exchange, String error) {
        for (Consolidation consolidation : consolidations) {
            if (consolidation.matches(error)) {
                if (consolidation.takes()) {
                    return;
                }
                LOG.offer(consolidation.level(), line(exchange, error));
                return;
            }
        }
        String admitted = lines.admit(line(exchange, error));
        if (admitted != null) {
            LOG.error(admitted);
        }
    }

    private static String line(Exchange exchange, String error) {
        String type = DnsType.toText(exchange.query().type());
        return exchange.answer().rcode() + " " + exchange.query().nameText() + " " + type + ": " + error;
    }

    void stop() {
        consolidations.forEach(Consolidation::stop);
    }
}
