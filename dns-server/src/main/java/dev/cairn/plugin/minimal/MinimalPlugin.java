package dev.cairn.plugin.minimal;

import dev.cairn.chain.AnswerHook;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;

/** Drops authority and additional records of positive answers. */
final class MinimalPlugin implements AnswerHook {
    @Override
    public String name() {
        return "minimal";
    }

    @Override
    public Step answer(Exchange exchange) {
        Answer answer = exchange.answer();
        int type = exchange.query().type();
        if (answer.rcode() == Rcode.NOERROR && type != DnsType.AXFR && type != DnsType.IXFR && !isAboutTheZone(answer)) {
            answer.remove(Section.AUTHORITY);
            answer.remove(Section.ADDITIONAL);
        }
        return Step.ANSWERED;
    }

    /** Without an answer, SOA tells how long that may be kept (RFC 2308 section 2.2) and NS whom to ask instead: both are the message. */
    private static boolean isAboutTheZone(Answer answer) {
        boolean found = false;
        for (int i = 0; i < answer.size(); i++) {
            Section section = answer.part(i).section();
            if (section == Section.ANSWER) {
                return false;
            }
            int type = answer.part(i).set().type();
            found |= section == Section.AUTHORITY && (type == DnsType.SOA || type == DnsType.NS);
        }
        return found;
    }
}
