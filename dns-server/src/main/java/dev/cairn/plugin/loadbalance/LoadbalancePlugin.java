package dev.cairn.plugin.loadbalance;

import dev.cairn.chain.AnswerHook;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;

/** Starts each set of the answer with another record. Without preferred networks this only sets an index and makes no garbage. */
final class LoadbalancePlugin implements AnswerHook {
    private final FirstRecord first;
    private final Preference preference;

    LoadbalancePlugin(FirstRecord first, Preference preference) {
        this.first = first;
        this.preference = preference;
    }

    @Override
    public String name() {
        return "loadbalance";
    }

    @Override
    public Step answer(Exchange exchange) {
        Answer answer = exchange.answer();
        int type = exchange.query().type();
        if (answer.rcode() != Rcode.NOERROR || type == DnsType.AXFR || type == DnsType.IXFR) {
            return Step.ANSWERED;
        }
        int aliases = 0;
        for (int i = 0; i < answer.size(); i++) {
            Part part = answer.part(i);
            if (part.set().count() > 1) {
                part.rotate(first.choose(part, exchange.query()));
                preference.apply(part);
            }
            if (part.section() == Section.ANSWER && part.set().type() == DnsType.CNAME) {
                // glibc wants an alias before the addresses of what it stands for.
                answer.moveUp(i, aliases++);
            }
        }
        return Step.ANSWERED;
    }
}
