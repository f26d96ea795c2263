package dev.cairn.plugin.chaos;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.zone.NameMap;
import java.util.List;

/** Answers TXT questions of class CH for the names it has, and refuses all others of that class: plugins below know only class IN. */
final class ChaosPlugin implements Plugin {
    private final NameMap<RrSet> answers;

    ChaosPlugin(NameMap<RrSet> answers) {
        this.answers = answers;
    }

    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public List<Integer> otherClasses() {
        return List.of(DnsClass.CH);
    }

    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        if (query.dnsClass() != DnsClass.CH) {
            return Step.NEXT;
        }
        RrSet answer = query.type() == DnsType.TXT ? answers.get(query) : null;
        if (answer == null) {
            return exchange.refuse(Rcode.REFUSED);
        }
        exchange.answer().addForQuestion(answer);
        return Step.ANSWERED;
    }
}
