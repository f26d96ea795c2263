package dev.cairn.plugin.autopath;

import dev.cairn.chain.AnswerHook;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.plugin.RouteCounter;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryChange;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tries the rest of a client's search path when the name made with its first element does not exist. That name is the question itself, so
 * it has gone its usual way already and its answer stands if nothing better is found.
 */
final class AutopathPlugin implements AnswerHook {
    private final WireName[] zones;
    private final RouteCounter successes;
    private volatile Paths paths = _ -> List.of();

    /** Where the search path of a client comes from. */
    interface Paths {
        /** In the client's order; empty if not known. */
        List<WireName> of(Exchange exchange);
    }

    AutopathPlugin(List<WireName> zones, RouteCounter successes) {
        this.zones = zones.toArray(WireName[]::new);
        this.successes = successes;
    }

    void follow(Paths from) {
        paths = from;
    }

    @Override
    public String name() {
        return "autopath";
    }

    @Override
    public Step answer(Exchange exchange) {
        return isMiss(exchange) ? search(exchange) : Step.ANSWERED;
    }

    /** A SERVFAIL without an error is how plugins that have no SOA record say that they do not know a name. */
    private static boolean isMiss(Exchange exchange) {
        int rcode = exchange.answer().rcode();
        return rcode == Rcode.NXDOMAIN || (rcode == Rcode.SERVFAIL && exchange.error() == null);
    }

    private Step search(Exchange exchange) {
        QueryView query = exchange.query();
        // What the server asks itself, such as the target of an alias, is a whole name and not the beginning of a search.
        if (exchange.depth() > 0 || !query.isWithinAny(zones)) {
            return Step.ANSWERED;
        }
        List<WireName> path = paths.of(exchange);
        if (path.isEmpty() || !query.isWithin(path.getFirst()) || query.is(path.getFirst())) {
            return Step.ANSWERED;
        }
        return ask(exchange, candidates(query, path), 0);
    }

    /** The typed name with each element of the path but the first, and at last as it was typed. */
    private static List<WireName> candidates(QueryView query, List<WireName> path) {
        int typed = query.nameLength() - path.getFirst().length();
        Set<WireName> names = new LinkedHashSet<>();
        for (WireName element : path) {
            addJoined(names, query, typed, element);
        }
        addJoined(names, query, typed, WireName.ROOT);
        names.removeIf(query::is);
        return new ArrayList<>(names);
    }

    private static void addJoined(Set<WireName> names, QueryView query, int typed, WireName element) {
        int length = typed + element.length();
        if (length <= WireName.MAX_LENGTH) {
            byte[] name = new byte[length];
            System.arraycopy(query.name(), 0, name, 0, typed);
            element.copyTo(name, typed);
            names.add(WireName.of(name, 0, length));
        }
    }

    private Step ask(Exchange exchange, List<WireName> names, int index) {
        if (index == names.size()) {
            return Step.ANSWERED;
        }
        WireName name = names.get(index);
        Exchange asked = exchange.below(exchange.protocol());
        new QueryChange(asked.query()).name(name).apply();
        return exchange.askBelow(asked, inner -> {
            if (inner.isDropped() || isMiss(inner)) {
                return ask(exchange, names, index + 1);
            }
            if (inner.error() == null) {
                successes.increment(exchange.route());
            }
            return found(exchange, inner, name);
        });
    }

    /** The client asked for another name, so the answer leads from that to the one found. */
    private static Step found(Exchange exchange, Exchange inner, WireName name) {
        Answer answer = exchange.answer();
        answer.copy(inner.answer(), name);
        exchange.credit(inner);
        Answer.@Nullable Part first = firstAnswer(answer);
        if (first != null) {
            QueryView query = exchange.query();
            WireName asked = WireName.of(query.name(), 0, query.nameLength());
            answer.addForQuestion(Rdata.single(asked, DnsType.CNAME, first.ttl(), Rdata.name(name)));
            answer.moveUp(answer.size() - 1, 0);
        }
        return Step.ANSWERED;
    }

    private static Answer.@Nullable Part firstAnswer(Answer answer) {
        for (int i = 0; i < answer.size(); i++) {
            if (answer.part(i).section() == Section.ANSWER) {
                return answer.part(i);
            }
        }
        return null;
    }
}
