package dev.cairn.plugin.forward;

import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.List;

/** Drops records of the answer section that are not the question's: neither its own nor those of names its aliases lead to. */
final class Bailiwick {
    private static final int MAX_ALIASES = 64;

    private Bailiwick() {}

    static void keep(Answer answer, QueryView query) {
        if (isPlain(answer)) {
            return;
        }
        List<WireName> owners = owners(answer, WireName.of(query.name(), 0, query.nameLength()));
        for (int i = answer.size() - 1; i >= 0; i--) {
            Part part = answer.part(i);
            if (part.section() == Section.ANSWER && !part.forQuestion() && !owners.contains(part.set().owner())) {
                answer.remove(i);
            }
        }
    }

    /** Nearly all answers have but the question's own records. */
    private static boolean isPlain(Answer answer) {
        for (int i = 0; i < answer.size(); i++) {
            if (answer.part(i).section() == Section.ANSWER && !answer.part(i).forQuestion()) {
                return false;
            }
        }
        return true;
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
