package dev.cairn.plugin.rewrite;

import dev.cairn.log.NearestWord;
import dev.cairn.pattern.GoPattern;
import dev.cairn.plugin.rewrite.EdnsRule.Action;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.EdnsOption;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.WireName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the words of one {@code rewrite} into a rule. Mistakes are thrown as {@link IllegalArgumentException} for the user. */
final class RuleReader {
    static final List<String> FIELDS = List.of("name", "type", "class", "edns0", "ttl", "cname", "rcode");

    private static final List<String> MATCHES = List.of("exact", "prefix", "suffix", "substring", "regex");
    private static final Map<String, Integer> CLASSES =
            Map.of("IN", DnsClass.IN, "CH", DnsClass.CH, "HS", DnsClass.HS, "NONE", DnsClass.NONE, "ANY", DnsClass.ANY);
    private static final int NSID = 3; // RFC 5001

    private RuleReader() {}

    static Rule read(List<String> words) {
        String field = words.getFirst().toLowerCase(Locale.ROOT);
        List<String> args = words.subList(1, words.size());
        return switch (field) {
            case "name" -> NameRuleReader.read(args);
            case "type" -> {
                expect(args, 2, 2, "type FROM TO");
                yield new Rule.OfType(type(args.get(0)), type(args.get(1)));
            }
            case "class" -> {
                expect(args, 2, 2, "class FROM TO");
                yield new Rule.OfClass(dnsClass(args.get(0)), dnsClass(args.get(1)));
            }
            case "edns0" -> edns(args);
            case "ttl" -> {
                expect(args, 2, 3, "ttl [" + String.join("|", MATCHES) + "] NAME SECONDS|MIN-MAX");
                yield new Rule.OfAnswer(pattern(args.subList(0, args.size() - 1)), ttl(args.getLast()));
            }
            case "rcode" -> {
                expect(args, 3, 4, "rcode [" + String.join("|", MATCHES) + "] NAME FROM TO");
                int at = args.size() - 2;
                yield new Rule.OfAnswer(pattern(args.subList(0, at)), new AnswerRule.Code(rcode(args.get(at)), rcode(args.get(at + 1))));
            }
            case "cname" -> cname(args);
            case "answer" -> throw new IllegalArgumentException(
                    "answer belongs to a name rule; write: name regex FROM TO answer name FROM TO");
            default -> throw new IllegalArgumentException("\"" + words.getFirst() + "\" is not a field" + didYouMean(field, FIELDS));
        };
    }

    static String didYouMean(String wrong, List<String> known) {
        @Nullable String nearest = NearestWord.of(wrong, known);
        return (nearest == null ? "" : ", did you mean " + nearest + "?") + " (known: " + String.join(", ", known) + ")";
    }

    static void expect(List<String> args, int min, int max, String usage) {
        if (args.size() < min || args.size() > max) {
            throw new IllegalArgumentException(
                    (args.size() < min ? "words are missing" : "there are too many words") + "; write: rewrite [continue|stop] " + usage);
        }
    }

    /** A name as CoreDNS compares it: in lower case and with the last dot. */
    static String normalize(String name) {
        return (name.endsWith(".") ? name : name + ".").toLowerCase(Locale.ROOT);
    }

    /** {@code [MATCH] NAME} as rules for answers have it. */
    private static NamePattern pattern(List<String> words) {
        String match = words.size() == 1 ? "exact" : words.getFirst();
        return pattern(match, match.equalsIgnoreCase("regex") ? words.getLast() : normalize(words.getLast()), false);
    }

    static NamePattern pattern(String match, String name, boolean ignoreCase) {
        return switch (match.toLowerCase(Locale.ROOT)) {
            case "exact" -> new NamePattern.Exact(name, WireName.parse(name));
            case "prefix" -> new NamePattern.Prefix(name);
            case "suffix" -> new NamePattern.Suffix(name);
            case "substring" -> new NamePattern.Substring(name);
            case "regex" -> new NamePattern.Regex(ignoreCase ? GoPattern.compileIgnoringCase(name) : GoPattern.compile(name));
            default -> throw new IllegalArgumentException("\"" + match + "\" is not a way to match names" + didYouMean(match, MATCHES));
        };
    }

    private static int type(String word) {
        int type = DnsType.fromText(word);
        if (type < 0) {
            throw new IllegalArgumentException("\"" + word + "\" is not a record type; write one such as A, AAAA or TYPE65");
        }
        return type;
    }

    private static int dnsClass(String word) {
        Integer number = CLASSES.get(word.toUpperCase(Locale.ROOT));
        if (number == null) {
            throw new IllegalArgumentException("\"" + word + "\" is not a class; write IN, CH, HS, NONE or ANY");
        }
        return number;
    }

    private static int rcode(String word) {
        int code = word.equalsIgnoreCase("BADSIG") ? Rcode.BADVERS : Rcode.fromText(word);
        if (code < 0 && word.matches("[0-9]{1,2}")) {
            code = Integer.parseInt(word);
        }
        if (code < 0 || code > 23) {
            throw new IllegalArgumentException(
                    "\"" + word + "\" is not a response code; write one such as NXDOMAIN, or a number from 0 to 23");
        }
        return code;
    }

    private static AnswerRule.Ttl ttl(String word) {
        if (!word.matches("[0-9]+|[0-9]+-[0-9]*|-[0-9]+")) {
            throw new IllegalArgumentException("\"" + word + "\" is not a TTL; write SECONDS, MIN-MAX, MIN- or -MAX");
        }
        int dash = word.indexOf('-');
        int min = dash == 0 ? 0 : seconds(dash < 0 ? word : word.substring(0, dash));
        int max = dash < 0 ? min : dash == word.length() - 1 ? Integer.MAX_VALUE : seconds(word.substring(dash + 1));
        if (min > max) {
            throw new IllegalArgumentException("the range " + word + " is empty; write the lower number first");
        }
        return new AnswerRule.Ttl(min, max);
    }

    private static int seconds(String digits) {
        long value = digits.length() > 10 ? Long.MAX_VALUE : Long.parseLong(digits);
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(digits + " is too large for a TTL: write at most " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    private static Rule cname(List<String> args) {
        expect(args, 2, 3, "cname [" + String.join("|", MATCHES) + "] FROM TO");
        String match = args.size() == 2 ? "exact" : args.getFirst();
        boolean exact = match.equalsIgnoreCase("exact");
        boolean regex = match.equalsIgnoreCase("regex");
        String from = args.get(args.size() - 2);
        String to = args.getLast().toLowerCase(Locale.ROOT);
        NamePattern pattern = pattern(match, exact ? normalize(from) : regex ? from : from.toLowerCase(Locale.ROOT), true);
        Replacement replacement = pattern instanceof NamePattern.Regex(GoPattern compiled)
                ? Replacement.parse(to, compiled.groupCount(), false)
                : Replacement.literal(exact ? normalize(to) : to);
        return new Rule.OfAlias(new AnswerRule.AliasTarget(new Renaming(pattern, replacement)));
    }

    private static Rule edns(List<String> args) {
        expect(args, 2, 5, "edns0 local|nsid|subnet set|append|replace|unset ...");
        Action action = Arrays.stream(Action.values())
                .filter(one -> one.name().equalsIgnoreCase(args.get(1))).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"" + args.get(1) + "\" is not known here"
                                + didYouMean(args.get(1), List.of("set", "append", "replace", "unset"))));
        boolean revert = action != Action.UNSET && args.getLast().equals("revert");
        List<String> rest = args.subList(2, revert ? args.size() - 1 : args.size());
        boolean unset = action == Action.UNSET;
        return switch (args.getFirst().toLowerCase(Locale.ROOT)) {
            case "local" -> {
                expect(rest, unset ? 1 : 2, unset ? 1 : 2, unset ? "edns0 local unset CODE" : "edns0 local ACTION CODE DATA [revert]");
                yield new EdnsRule(action, optionCode(rest.getFirst()), unset ? OptionData.constant(new byte[0]) : optionData(rest.get(1)));
            }
            case "nsid" -> {
                expect(rest, 0, 0, "edns0 nsid " + args.get(1) + (unset ? "" : " [revert]"));
                yield new EdnsRule(action, NSID, OptionData.constant(new byte[0]));
            }
            case "subnet" -> {
                int wanted = unset ? 0 : 2;
                expect(rest, wanted, wanted, unset ? "edns0 subnet unset" : "edns0 subnet ACTION V4-BITS V6-BITS [revert]");
                yield new EdnsRule(action, EdnsOption.CLIENT_SUBNET, unset
                        ? OptionData.constant(new byte[0]) : new OptionData.Subnet(bits(rest.get(0), 32), bits(rest.get(1), 128)));
            }
            default -> throw new IllegalArgumentException(
                    "\"" + args.getFirst() + "\" is not an option" + didYouMean(args.getFirst(), List.of("local", "nsid", "subnet")));
        };
    }

    private static int optionCode(String word) {
        return number(word, 0xffff, "is not an option code; write a number from 0 to 65535, such as 0xffee");
    }

    private static int bits(String word, int most) {
        return number(word, most, "is not a number of bits; write one from 0 to " + most);
    }

    private static int number(String word, int most, String complaint) {
        try {
            int value = Integer.decode(word);
            if (value >= 0 && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // what is not a number is reported like a wrong one
        }
        throw new IllegalArgumentException("\"" + word + "\" " + complaint);
    }

    private static OptionData optionData(String word) {
        if (word.startsWith("0x")) {
            try {
                return OptionData.constant(HexFormat.of().parseHex(word.substring(2)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("\"" + word + "\" is not hexadecimal; write pairs of digits, such as 0x61626364");
            }
        }
        if (!word.startsWith("{") || !word.endsWith("}")) {
            return OptionData.constant(word.getBytes(StandardCharsets.UTF_8));
        }
        String variable = word.substring(1, word.length() - 1);
        OptionData known = QueryVariables.BY_NAME.get(variable);
        if (known == null && !variable.matches("[^/]+/[^/]+")) {
            throw new IllegalArgumentException(word + " is not a variable"
                    + didYouMean(variable, QueryVariables.BY_NAME.keySet().stream().sorted().toList()) + ", or a label {plugin/name}");
        }
        return known == null ? new OptionData.Label(variable) : known;
    }
}
