package dev.cairn.corefile;

import dev.cairn.log.NearestWord;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Typed view of one use of a directive, or of one line in its block. A mistake becomes a {@link Problem} and the caller gets the fallback,
 * so that a setup method reads straight through and the user sees all mistakes at once.
 */
public final class Use {

    private final Directive line;
    /** The plugin, and for lines of its block the words that lead there: {@code plugin/cache: success}. */
    private final String path;
    private final String parentPath;
    private final Problems problems;

    private Use(Directive line, String path, String parentPath, Problems problems) {
        this.line = line;
        this.path = path;
        this.parentPath = parentPath;
        this.problems = problems;
    }

    /** All uses of one directive in a server block, in order. */
    public static List<Use> of(List<Directive> repeats, Problems problems) {
        List<Use> uses = new ArrayList<>();
        for (Directive line : repeats) {
            String plugin = "plugin/" + line.name().text();
            uses.add(new Use(line, plugin, plugin, problems));
        }
        return List.copyOf(uses);
    }

    /** Reports all uses but the first, for directives (or lines of a block) that must not be repeated. */
    public static void onlyOnce(List<Use> uses) {
        for (Use repeat : uses.subList(Math.min(1, uses.size()), uses.size())) {
            String where = repeat.path.equals(repeat.parentPath) ? "server block" : "block";
            repeat.error("can only be used once per " + where
                + ", and is already used at " + uses.getFirst().at() + ": remove one of them");
        }
    }

    public String name() {
        return line.name().text();
    }

    public Position at() {
        return line.name().at();
    }

    /** The number of arguments. */
    public int count() {
        return line.args().size();
    }

    public boolean hasBlock() {
        return line.hasBlock();
    }

    /**
     * Checks the number of arguments.
     *
     * @param max the most there may be, {@link Integer#MAX_VALUE} for any number
     * @param usage the line as it should be written, such as {@code ttl SECONDS}
     * @return whether the number is right; if not, that is reported
     */
    public boolean expect(int min, int max, String usage) {
        if (count() >= min && count() <= max) {
            return true;
        }
        error("wants " + wanted(min, max) + ", got " + count() + "; write: " + usage);
        return false;
    }

    private static String wanted(int min, int max) {
        if (max == 0) {
            return "no arguments";
        }
        if (max == Integer.MAX_VALUE) {
            return "at least " + arguments(min);
        }
        return min == max ? arguments(min) : min == 0 ? "at most " + arguments(max) : min + " to " + arguments(max);
    }

    private static String arguments(int count) {
        return count + (count == 1 ? " argument" : " arguments");
    }

    /** An argument that must be there; if it is not, that is reported and the result is empty. */
    public String arg(int i) {
        if (i >= count()) {
            error("argument " + (i + 1) + " is missing: the line has only " + count());
        }
        return arg(i, "");
    }

    public String arg(int i, String fallback) {
        return i < count() ? line.args().get(i).text() : fallback;
    }

    public List<String> args() {
        return line.args().stream().map(Token::text).toList();
    }

    public List<Token> tokens() {
        return line.args();
    }

    /** A whole number; the fallback if it is absent, and also if it is wrong, which is reported. */
    public int intArg(int i, int min, int max, int fallback) {
        if (i >= count()) {
            return fallback;
        }
        try {
            int number = Integer.parseInt(arg(i));
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // not a number is reported like a wrong one
        }
        error("\"" + arg(i) + "\" is not " + wholeNumber(min, max));
        return fallback;
    }

    private static String wholeNumber(int min, int max) {
        return "a whole number " + (max == Integer.MAX_VALUE ? "of at least " + min : "from " + min + " to " + max);
    }

    /** A duration in Go's notation; the fallback if it is absent, and also if it is wrong, which is reported. */
    public Duration durationArg(int i, Duration min, Duration max, Duration fallback) {
        return i < count() ? duration(arg(i), min, max, fallback) : fallback;
    }

    /** Like {@link #durationArg}, but a plain number is one of seconds. */
    public Duration secondsArg(int i, Duration min, Duration max, Duration fallback) {
        if (i >= count()) {
            return fallback;
        }
        boolean plain = arg(i).chars().allMatch(c -> c >= '0' && c <= '9');
        return duration(plain ? arg(i) + "s" : arg(i), min, max, fallback);
    }

    private Duration duration(String text, Duration min, Duration max, Duration fallback) {
        try {
            Duration duration = GoDuration.parse(text);
            if (duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0) {
                return duration;
            }
            error(text + " is out of range: write a duration from " + GoDuration.format(min) + " to " + GoDuration.format(max));
        } catch (IllegalArgumentException e) {
            error(String.valueOf(e.getMessage()));
        }
        return fallback;
    }

    /** An address to listen on, {@code [HOST]:PORT}; the fallback if it is absent, and also if it is wrong, which is reported. */
    public InetSocketAddress addressArg(int i, String fallback) {
        try {
            return HostPort.parse(arg(i, fallback));
        } catch (IllegalArgumentException e) {
            error(String.valueOf(e.getMessage()));
            return HostPort.parse(fallback);
        }
    }

    /** One of several words, in upper or lower case; the fallback if it is absent, and also if it is wrong, which is reported. */
    public <E> E choice(int i, Map<String, E> choices, E fallback) {
        if (i >= count()) {
            return fallback;
        }
        for (Map.Entry<String, E> choice : choices.entrySet()) {
            if (choice.getKey().equalsIgnoreCase(arg(i))) {
                return choice.getValue();
            }
        }
        error("\"" + arg(i) + "\" is not known here" + didYouMean(arg(i), choices.keySet()));
        return fallback;
    }

    /** The arguments from an index on as zones: normalized, with networks turned into reverse zones. */
    public List<String> zones(int from) {
        return zones(from, count());
    }

    /** The same up to, but not with, another index. */
    public List<String> zones(int from, int to) {
        List<String> zones = new ArrayList<>();
        for (Token arg : line.args().subList(Math.min(from, to), to)) {
            zones.addAll(ZoneKeys.zones(arg, problems));
        }
        return List.copyOf(zones);
    }

    /** One argument as zones: several for a network between zone cuts, none if it is wrong, which is reported. */
    public List<String> zonesOf(int i) {
        return i < count() ? ZoneKeys.zones(line.args().get(i), problems) : List.of();
    }

    /** The lines of the block. */
    public List<Use> block() {
        return line.block().stream().map(property -> new Use(property, path + ": " + property.name().text(), path, problems)).toList();
    }

    /** Reports this line of a block as unknown, with the known word that comes nearest. */
    public void unknown(Collection<String> known) {
        problems.error(at(), parentPath + ": unknown property \"" + name() + "\"" + didYouMean(name(), known));
    }

    private static String didYouMean(String wrong, Collection<String> known) {
        @Nullable String nearest = NearestWord.of(wrong, known);
        String all = known.stream().sorted().reduce((a, b) -> a + ", " + b).orElse("");
        return (nearest == null ? "" : ", did you mean " + nearest + "?") + (all.isEmpty() ? ": remove it" : " (known: " + all + ")");
    }

    /** Reports an error at this line; the message is prefixed with the plugin and the line's first word. */
    public void error(String message) {
        problems.error(at(), path + ": " + message);
    }

    /** Reports a warning at this line; the message is prefixed with the plugin and the line's first word. */
    public void warning(String message) {
        problems.warning(at(), path + ": " + message);
    }
}
