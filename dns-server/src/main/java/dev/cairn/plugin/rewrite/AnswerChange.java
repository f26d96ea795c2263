package dev.cairn.plugin.rewrite;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts one answer right on its way back to the client. Used once, by the thread that has the exchange. */
final class AnswerChange {
    /** As in CoreDNS: so many questions may follow from one another because of rewritten aliases. */
    private static final int MAX_DEPTH = 8;

    private final Exchange exchange;
    private final Answer answer;
    private final Rewriting rewriting;
    private final WireName asked;
    private final int askedType;
    private @Nullable WireName target;
    private int aliasAt;

    /** @param exchange still with the query as the plugins below saw it */
    AnswerChange(Exchange exchange, Rewriting rewriting) {
        this.exchange = exchange;
        this.rewriting = rewriting;
        answer = exchange.answer();
        asked = WireName.of(exchange.query().name(), 0, exchange.query().nameLength());
        askedType = exchange.query().type();
    }

    /** Gives the client its question back and applies the rules, the last first, to each record set. */
    Step apply() {
        rewriting.restore(exchange.query());
        if (!exchange.query().is(asked)) {
            for (int i = 0; i < answer.size(); i++) {
                if (answer.part(i).forQuestion()) {
                    answer.part(i).owner(asked);
                }
            }
        }
        List<AnswerRule> rules = rewriting.back().reversed();
        for (AnswerRule rule : rules) {
            if (rule instanceof AnswerRule.Code(int from, int to) && answer.rcode() == from) {
                answer.rcode(to);
            }
        }
        for (int i = 0; i < answer.size(); i++) {
            for (AnswerRule rule : rules) {
                apply(rule, i);
            }
        }
        return target == null ? Step.ANSWERED : follow(target);
    }

    private void apply(AnswerRule rule, int at) {
        Part part = answer.part(at);
        switch (rule) {
            case AnswerRule.Ttl(int min, int max) -> part.overrideTtl(Math.clamp(part.ttl(), min, max));
            case AnswerRule.Owners(AnswerRule.Names names) -> {
                String renamed = names.rename((part.forQuestion() ? asked : part.set().owner()).toString());
                if (renamed != null) {
                    part.owner(parse(renamed));
                }
            }
            case AnswerRule.Values(AnswerRule.Names names) -> {
                RrSet renamed = RecordNames.rename(part.set(), names);
                if (renamed != part.set()) {
                    int first = part.first();
                    part.replace(renamed);
                    part.rotate(first);
                }
            }
            case AnswerRule.AliasTarget(Renaming renaming) -> retarget(renaming, part, at);
            case AnswerRule.Code _ -> {
                // is not about records
            }
        }
    }

    static WireName parse(String name) {
        try {
            return WireName.parse(name);
        } catch (IllegalArgumentException e) {
            throw new RewriteFailure("invalid name in the answer after rewrite: " + name + ": " + e.getMessage());
        }
    }

    private void retarget(Renaming renaming, Part part, int at) {
        boolean isAlias = part.section() == Section.ANSWER && part.set().type() == DnsType.CNAME;
        if (!isAlias || target != null || exchange.depth() > MAX_DEPTH) {
            return;
        }
        byte[] data = part.set().data(0);
        String renamed = renaming.rename(WireName.of(data, 0, data.length).toString(), exchange);
        if (renamed != null) {
            target = parse(renamed);
            aliasAt = at;
            part.replace(RrSet.of(part.set().owner(), DnsType.CNAME, DnsClass.IN, part.set().ttl(), List.of(Rdata.name(target))));
        }
    }

    /** Keeps the aliases up to the changed one and asks for what they lead to now. */
    private Step follow(WireName to) {
        Answer before = new Answer();
        before.reset(exchange.query());
        for (int i = 0; i <= aliasAt; i++) {
            Part part = answer.part(i);
            if (part.section() == Section.ANSWER && part.set().type() == DnsType.CNAME) {
                Part kept = part.forQuestion() ? before.addForQuestion(part.set()) : before.add(Section.ANSWER, part.set());
                kept.overrideTtl(part.ttl());
            }
        }
        answer.remove(Section.ANSWER);
        answer.addAll(Section.ANSWER, before, asked);
        return exchange.ask(to, askedType, inner -> {
            answer.addAll(Section.ANSWER, inner.answer(), to);
            if ((inner.answer().flags() & HeaderFlag.TC) != 0) {
                answer.set(HeaderFlag.TC);
            }
        });
    }
}
