package dev.cairn.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * What a reply must be. Sections compare as sets; a section that is not there is not compared.
 *
 * @param additionalCount how many records are in the additional section; -1 if that does not matter
 * @param counts how many records of a type, or of a type and an owner, a transfer has; {@code first} and {@code last} tell types
 */
record Expectation(
        String rcode,
        boolean aa,
        boolean tc,
        @Nullable List<ExpectedRecord> answer,
        @Nullable List<ExpectedRecord> authority,
        @Nullable List<ExpectedRecord> additional,
        int additionalCount,
        Map<String, Object> counts) {

    static Expectation of(Map<String, Object> source) {
        return new Expectation(
                Facts.text(source, "rcode"),
                Boolean.TRUE.equals(source.get("aa")),
                Boolean.TRUE.equals(source.get("tc")),
                records(source, "answer"),
                records(source, "authority"),
                records(source, "additional"),
                source.get("additional_count") instanceof Integer count ? count : -1,
                Facts.map(source.get("counts")));
    }

    private static @Nullable List<ExpectedRecord> records(Map<String, Object> source, String section) {
        return source.containsKey(section) ? Facts.strings(source.get(section)).stream().map(ExpectedRecord::parse).toList() : null;
    }

    /** What is wrong with the reply; empty if nothing is. */
    List<String> differences(Message reply) {
        List<String> wrong = new ArrayList<>();
        if (!Rcode.string(reply.getRcode()).equals(rcode)) {
            wrong.add("rcode is " + Rcode.string(reply.getRcode()) + ", not " + rcode);
        }
        flag(reply, Flags.AA, aa, wrong);
        flag(reply, Flags.TC, tc, wrong);
        section(reply, Section.ANSWER, answer, wrong);
        section(reply, Section.AUTHORITY, authority, wrong);
        section(reply, Section.ADDITIONAL, additional, wrong);
        if (additionalCount >= 0 && reply.getSection(Section.ADDITIONAL).size() != additionalCount) {
            wrong.add("not " + additionalCount + " additional records: " + reply.getSection(Section.ADDITIONAL));
        }
        aliasesFirst(reply.getSection(Section.ANSWER), wrong);
        counts.forEach((what, count) -> counted(reply.getSection(Section.ANSWER), what, count.toString(), wrong));
        return wrong;
    }

    private static void flag(Message reply, int flag, boolean expected, List<String> wrong) {
        if (reply.getHeader().getFlag(flag) != expected) {
            wrong.add("flag " + Flags.string(flag) + " is " + !expected);
        }
    }

    private static void section(Message reply, int section, @Nullable List<ExpectedRecord> expected, List<String> wrong) {
        if (expected == null) {
            return;
        }
        List<Record> rest = new ArrayList<>(reply.getSection(section));
        rest.removeIf(record -> record.getType() == Type.OPT);
        for (ExpectedRecord one : expected) {
            int at = IntStream.range(0, rest.size()).filter(i -> one.matches(rest.get(i))).findFirst().orElse(-1);
            if (at < 0) {
                wrong.add(Section.longString(section) + " lacks: " + one.text());
            } else {
                rest.remove(at);
            }
        }
        rest.forEach(record -> wrong.add(Section.longString(section) + " has too much: " + record));
    }

    /** A client that reads from the top must have met the alias before what it stands for (RFC 1034 section 3.6.2 gives the order). */
    private static void aliasesFirst(List<Record> answer, List<String> wrong) {
        for (int i = 0; i < answer.size(); i++) {
            if (answer.get(i) instanceof CNAMERecord alias
                    && answer.subList(0, i).stream().anyMatch(before -> before.getName().equals(alias.getTarget()))) {
                wrong.add("the records of " + alias.getTarget() + " stand before the alias: " + answer);
            }
        }
    }

    private static void counted(List<Record> answer, String what, String expected, List<String> wrong) {
        String[] words = what.split(" ", 2);
        String found = switch (words[0]) {
            case "first" -> Type.string(answer.getFirst().getType());
            case "last" -> Type.string(answer.getLast().getType());
            default -> Long.toString(answer.stream()
                    .filter(record -> Type.string(record.getType()).equals(words[0]))
                    .filter(record -> words.length == 1 || record.getName().toString().equalsIgnoreCase(words[1]))
                    .count());
        };
        if (!found.equals(expected)) {
            wrong.add(what + " is " + found + ", not " + expected);
        }
    }
}
