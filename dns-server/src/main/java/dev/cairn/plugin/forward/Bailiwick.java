package dev.cairn.plugin.forward;

import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Drops records that have nothing to do with the question (RFC 5452 section 6). In the answer only its own stay and those of names its aliases
 * lead to; in the authority those of zones above one of these, and proofs; in the additional section those of names that what stays
 * tells of.
 */
final class Bailiwick {
    private static final int MAX_ALIASES = 64;

    private Bailiwick() {}

    static void keep(Answer answer, QueryView query) {
        if (isPlain(answer)) {
            return;
        }
        List<WireName> owners = owners(answer, query.wireName());
        Set<WireName> told = new HashSet<>(owners);
        for (int i = answer.size() - 1; i >= 0; i--) {
            Part part = answer.part(i);
            if (part.section() == Section.ADDITIONAL) {
                continue;
            }
            boolean kept = part.forQuestion()
                    || (part.section() == Section.ANSWER ? owners.contains(part.set().owner()) : isAbove(part.set(), owners));
            if (kept) {
                addTargets(part.set(), told);
            } else {
                answer.remove(i);
            }
        }
        for (int i = answer.size() - 1; i >= 0; i--) {
            Part part = answer.part(i);
            if (part.section() == Section.ADDITIONAL && !part.forQuestion() && !told.contains(part.set().owner())) {
                answer.remove(i);
            }
        }
    }

    /** Nearly all answers have but the question's own records. */
    private static boolean isPlain(Answer answer) {
        for (int i = 0; i < answer.size(); i++) {
            if (answer.part(i).section() != Section.ANSWER || !answer.part(i).forQuestion()) {
                return false;
            }
        }
        return true;
    }

    /** Whether a record of the authority section is of a zone that one of the names is in. Proofs have owners beside them, and prove only that. */
    private static boolean isAbove(RrSet set, List<WireName> names) {
        return set.type() == DnsType.RRSIG || set.type() == DnsType.NSEC || set.type() == DnsType.NSEC3 || names.stream().anyMatch(name -> name.isWithin(set.owner()));
    }

    /** Adds the names that records lead to and whose addresses come along. */
    private static void addTargets(RrSet set, Set<WireName> to) {
        int at = switch (set.type()) {
            case DnsType.NS, DnsType.SOA, DnsType.PTR -> 0;
            case DnsType.MX, DnsType.SVCB, DnsType.HTTPS -> 2;
            case DnsType.SRV -> 6;
            default -> -1;
        };
        for (int i = 0; at >= 0 && i < set.count(); i++) {
            byte[] data = set.data(i);
            int end = at;
            while (end < data.length && data[end] > 0) {
                end += data[end] + 1;
            }
            if (end < data.length && data[end] == 0) {
                to.add(WireName.of(data, at, end + 1 - at));
            }
        }
    }

    /** The question's name and all that aliases lead to, and the owners of DNAMEs that make such aliases. Aliases may come in any order. */
    private static List<WireName> owners(Answer answer, WireName question) {
        List<WireName> owners = new ArrayList<>(List.of(question));
        int before;
        do {
            before = owners.size();
            for (int i = 0; i < answer.size() && owners.size() < MAX_ALIASES; i++) {
                if (answer.part(i).section() == Section.ANSWER) {
                    follow(answer.part(i).set(), owners);
                }
            }
        } while (owners.size() > before);
        return owners;
    }

    private static void follow(RrSet set, List<WireName> owners) {
        if (set.type() == DnsType.CNAME && owners.contains(set.owner())) {
            byte[] target = set.data(0);
            add(WireName.of(target, 0, target.length), owners);
        } else if (set.type() == DnsType.DNAME && owners.stream().anyMatch(name -> name.isWithin(set.owner()))) {
            add(set.owner(), owners);
        }
    }

    private static void add(WireName name, List<WireName> owners) {
        if (!owners.contains(name)) {
            owners.add(name);
        }
    }
}
