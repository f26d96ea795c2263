package dev.cairn.plugin.rewrite;

import dev.cairn.pattern.GoPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads {@code name} rules with their answer options. Used once, by one thread. */
final class NameRuleReader {
    private static final String USAGE =
            "name [exact|prefix|suffix|substring|regex] FROM TO [metadata] [answer auto|(name|value FROM TO)]...";

    private final List<String> words;
    private final List<AnswerRule> answers = new ArrayList<>();
    private int at;
    private boolean auto;
    private boolean hasNames;

    private NameRuleReader(List<String> words) {
        this.words = words;
    }

    static Rule read(List<String> args) {
        RuleReader.expect(args, 2, Integer.MAX_VALUE, USAGE);
        boolean plain = args.size() == 2;
        String match = plain ? "exact" : args.getFirst().toLowerCase(Locale.ROOT);
        String from = args.get(plain ? 0 : 1);
        String to = RuleReader.normalize(args.get(plain ? 1 : 2));
        NamePattern pattern = RuleReader.pattern(match, match.equals("regex") ? from : RuleReader.normalize(from), false);
        boolean metadata = args.size() > 3 && args.get(3).equals("metadata");
        if (metadata && !match.equals("regex")) {
            throw new IllegalArgumentException("metadata is only for regex; write: name regex FROM TO metadata");
        }
        NameRuleReader answer = new NameRuleReader(args.subList(Math.min(args.size(), metadata ? 4 : 3), args.size()));
        answer.readAnswers();
        // Labels keep their case, which the replacement sees to itself.
        String spelled = metadata ? args.get(2) + (args.get(2).endsWith(".") ? "" : ".") : to;
        Replacement replacement = pattern instanceof NamePattern.Regex(GoPattern compiled)
                ? Replacement.parse(spelled, compiled.groupCount(), metadata)
                : Replacement.literal(to);
        return answer.rule(new Renaming(pattern, replacement), to);
    }

    private Rule rule(Renaming renaming, String to) {
        if (renaming.pattern() instanceof NamePattern.Suffix(String from) && auto) {
            Renaming back = new Renaming(new NamePattern.Suffix(to), Replacement.literal(from));
            AnswerRule.Names names = name -> back.rename(name, null);
            answers.addAll(0, List.of(new AnswerRule.Owners(names), new AnswerRule.Values(names)));
            auto = false;
        }
        return new Rule.OfName(renaming, auto || renaming.pattern() instanceof NamePattern.Exact, List.copyOf(answers));
    }

    /** The word {@code answer} may be left out after the first. */
    private void readAnswers() {
        while (at < words.size()) {
            if (words.get(at).equals("answer")) {
                at++;
            } else if (at == 0) {
                throw new IllegalArgumentException("\"" + words.getFirst() + "\" is not known after a name; write: rewrite " + USAGE);
            }
            readAnswer();
        }
        if (auto && hasNames) {
            throw new IllegalArgumentException("answer auto and answer name exclude each other: remove one of them");
        }
    }

    private void readAnswer() {
        String kind = word("what in the answer is to be rewritten");
        switch (kind) {
            case "auto" -> auto = true;
            case "name" -> {
                // CoreDNS's own page writes "answer name auto".
                if (at < words.size() && words.get(at).equals("auto") && (at + 1 == words.size() || words.get(at + 1).equals("answer"))) {
                    auto = true;
                    at++;
                } else {
                    hasNames = true;
                    answers.add(new AnswerRule.Owners(names()));
                }
            }
            case "value" -> answers.add(new AnswerRule.Values(names()));
            default -> throw new IllegalArgumentException(
                    "answer \"" + kind + "\" is not known" + RuleReader.didYouMean(kind, List.of("auto", "name", "value")));
        }
    }

    private AnswerRule.Names names() {
        GoPattern from = GoPattern.compile(word("FROM of an answer"));
        Replacement to = Replacement.parse(RuleReader.normalize(word("TO of an answer")), from.groupCount(), false);
        Renaming renaming = new Renaming(new NamePattern.Regex(from), to);
        return name -> renaming.rename(name, null);
    }

    private String word(String what) {
        if (at == words.size()) {
            throw new IllegalArgumentException(what + " is missing; write: rewrite " + USAGE);
        }
        return words.get(at++);
    }
}
