package dev.cairn.authority;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.StaticZone;

/** Answers questions from a zone, and from the whole server where its aliases lead elsewhere. */
public final class ZoneAnswers {
    private static final int MAX_DEPTH = 8;

    private ZoneAnswers() {}

    /** Answers the question, which is in the zone, or hands it on where that is asked for. */
    public static Step answer(Exchange exchange, LiveZone zone) {
        int type = exchange.query().type();
        if (type == DnsType.AXFR || type == DnsType.IXFR) {
            return exchange.refuse(Rcode.REFUSED); // what transfer allows does not come here
        }
        StaticZone state = zone.state();
        if (state == null) {
            return exchange.fail(Rcode.SERVFAIL, zone.unknown());
        }
        return switch (state.answer(exchange.query(), exchange.answer())) {
            case FOUND, NO_DATA, REFERRAL, TOO_LONG -> Step.ANSWERED;
            case EMPTY_NAME, NO_NAME -> missing(exchange, zone);
            case ALIAS -> chase(exchange, state);
            case CIRCLE -> circle(exchange);
        };
    }

    private static Step missing(Exchange exchange, LiveZone zone) {
        Answer answer = exchange.answer();
        if (answer.has(Section.ANSWER) || !exchange.query().isWithinAny(zone.through())) {
            return Step.ANSWERED;
        }
        answer.clear();
        answer.clear(HeaderFlag.AA);
        answer.rcode(Rcode.NOERROR);
        return Step.NEXT;
    }

    private static Step circle(Exchange exchange) {
        exchange.answer().clear(HeaderFlag.AA);
        return exchange.fail(Rcode.SERVFAIL, "the aliases of " + exchange.query().nameText() + " go in circles");
    }

    /** Other blocks and plugins have their say, too: a name may be missing in the zone and yet be answered by one of them. */
    private static Step chase(Exchange exchange, StaticZone zone) {
        WireName target = StaticZone.aliasTarget(exchange.answer());
        if (exchange.query().is(target) || exchange.depth() >= MAX_DEPTH) {
            return circle(exchange);
        }
        return exchange.ask(target, exchange.query().type(), inner -> take(exchange, inner.answer(), target, zone));
    }

    private static void take(Exchange exchange, Answer found, WireName target, StaticZone zone) {
        Answer answer = exchange.answer();
        boolean any = copy(found, Section.ANSWER, target, answer);
        int rcode = found.rcode();
        // The code is that of the last name in the chain (RFC 6604 section 3). One that nobody here serves is the client's to look up.
        boolean told = rcode == Rcode.NXDOMAIN || rcode == Rcode.SERVFAIL || rcode == Rcode.YXDOMAIN;
        answer.rcode(told ? rcode : Rcode.NOERROR);
        if (rcode == Rcode.NXDOMAIN || (rcode == Rcode.NOERROR && !hasType(found, exchange.query().type()))) {
            copy(found, Section.AUTHORITY, target, answer);
            copy(found, Section.ADDITIONAL, target, answer);
        } else if (!told) {
            // Of the own zone the authority may hold proofs, too; that of another is not this one's to tell.
            if (!target.isWithin(zone.origin()) || !copy(found, Section.AUTHORITY, target, answer)) {
                zone.addServers(exchange.query(), answer);
            }
            if (any) {
                copy(found, Section.ADDITIONAL, target, answer);
            }
        }
    }

    private static boolean hasType(Answer found, int type) {
        for (int i = 0; i < found.size(); i++) {
            if (found.part(i).section() == Section.ANSWER && found.part(i).set().type() == type) {
                return true;
            }
        }
        return false;
    }

    private static boolean copy(Answer from, Section section, WireName question, Answer to) {
        boolean any = false;
        for (int i = 0; i < from.size(); i++) {
            Part part = from.part(i);
            if (part.section() == section) {
                RrSet set = part.forQuestion() ? part.set().withOwner(question) : part.set();
                to.add(section, set).overrideTtl(part.ttl());
                any = true;
            }
        }
        return any;
    }
}
