package dev.cairn.plugin.cache;

import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.Bytes;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import org.jspecify.annotations.Nullable;

/** Says what a reply is and how long its records live. Runs once for each reply from below, not for hits. */
final class Classifier {
    /** The TTL of what has none. */
    static final int SHORTEST = 5;

    private static final int RRSIG = 46;

    private Classifier() {}

    /** @param wallSeconds the time of day, which signatures are bound to, in seconds since 1970 */
    static Kind classify(QueryView query, Answer answer, long wallSeconds) {
        if ((answer.flags() & HeaderFlag.TC) != 0 || (query.dnssecOk() && hasDeadSignature(answer, (int) wallSeconds))) {
            return Kind.UNKEPT;
        }
        return switch (answer.rcode()) {
            case Rcode.NOERROR -> noError(query, answer);
            case Rcode.NXDOMAIN -> hasSoa(answer) ? Kind.DENIAL : Kind.UNKEPT;
            case Rcode.SERVFAIL, Rcode.NOTIMP -> Kind.FAILURE;
            default -> Kind.UNKEPT;
        };
    }

    private static Kind noError(QueryView query, Answer answer) {
        boolean soa = hasSoa(answer);
        if (!answer.has(Section.ANSWER)) {
            return soa ? Kind.DENIAL : Kind.NON_ANSWER;
        }
        if (answersQuestion(query, answer)) {
            return Kind.ANSWER;
        }
        // Aliases that lead nowhere: NODATA for the last of them, or a resolver that gave up half-way (RFC 2308 section 5).
        return soa ? Kind.DENIAL : Kind.UNKEPT;
    }

    /** The lowest TTL of the reply; for a denial also that in the data of its SOA (RFC 2308 section 5). */
    static int lowestTtl(Kind kind, Answer answer) {
        int lowest = Integer.MAX_VALUE;
        for (int i = 0; i < answer.size(); i++) {
            Part part = answer.part(i);
            RrSet set = part.set();
            boolean referral = kind == Kind.NON_ANSWER && part.section() == Section.AUTHORITY && set.type() == DnsType.NS;
            lowest = Math.min(lowest, referral ? SHORTEST : part.ttl());
            if (kind == Kind.DENIAL && part.section() == Section.AUTHORITY && set.type() == DnsType.SOA) {
                byte[] soa = set.data(0);
                int minimum = Bytes.i32(soa, soa.length - 4);
                lowest = Math.min(lowest, minimum < 0 ? 0 : minimum); // 31 bits: RFC 2181 section 8
            }
        }
        return answer.size() == 0 ? SHORTEST : lowest;
    }

    private static boolean hasSoa(Answer answer) {
        for (int i = 0; i < answer.size(); i++) {
            if (answer.part(i).section() == Section.AUTHORITY && answer.part(i).set().type() == DnsType.SOA) {
                return true;
            }
        }
        return false;
    }

    /** Whether the name at the end of the aliases has a record of the type that was asked for (RFC 1034 section 3.6.2). */
    private static boolean answersQuestion(QueryView query, Answer answer) {
        WireName name = null;
        int type = query.type();
        for (int aliases = 0; aliases <= answer.size(); aliases++) {
            if (find(answer, name, type, query) != null) {
                return true;
            }
            RrSet alias = find(answer, name, DnsType.CNAME, query);
            if (alias == null || alias.count() > 1 || type == DnsType.ANY) {
                return false;
            }
            byte[] target = alias.data(0);
            name = WireName.of(target, 0, target.length);
        }
        return false;
    }

    /** @param name null for the question's */
    private static @Nullable RrSet find(Answer answer, @Nullable WireName name, int type, QueryView query) {
        for (int i = 0; i < answer.size(); i++) {
            Part part = answer.part(i);
            RrSet set = part.set();
            if (part.section() == Section.ANSWER && isOwner(part, name, query) && (set.type() == type || type == DnsType.ANY)) {
                return set;
            }
        }
        return null;
    }

    private static boolean isOwner(Part part, @Nullable WireName name, QueryView query) {
        if (name == null) {
            return part.forQuestion() || query.is(part.set().owner());
        }
        return part.forQuestion() ? query.is(name) : part.set().owner().equals(name);
    }

    private static boolean hasDeadSignature(Answer answer, int now) {
        for (int i = 0; i < answer.size(); i++) {
            RrSet set = answer.part(i).set();
            for (int j = 0; set.type() == RRSIG && j < set.count(); j++) {
                byte[] data = set.data(j);
                // Times of RRSIG wrap round and are compared by their difference (RFC 4034 section 3.1.5).
                if (data.length < 16 || Bytes.i32(data, 8) - now < 0 || now - Bytes.i32(data, 12) < 0) {
                    return true;
                }
            }
        }
        return false;
    }
}
