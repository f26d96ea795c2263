package dev.cairn.manual;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A metric as a page tells it.
 *
 * @param labels their names
 */
public record Metric(String name, String type, Collection<String> labels, String help) {
    private static final Pattern HEAD = Pattern.compile("# (HELP|TYPE) (\\S+) (.*)");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z0-9_:]+?)(_bucket|_sum|_count)?\\{(.*)\\} \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");

    /** Those of a text in the form of Prometheus; labels are those of the samples in it. */
    public static List<Metric> read(String text) {
        Map<String, String> help = new TreeMap<>();
        Map<String, String> types = new TreeMap<>();
        Map<String, TreeSet<String>> labels = new TreeMap<>();
        for (String line : text.lines().toList()) {
            Matcher head = HEAD.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (head.matches()) {
                (head.group(1).equals("HELP") ? help : types).put(head.group(2), head.group(3));
            } else if (sample.matches()) {
                // Usually a part of a histogram, but there are counters that end so.
                String whole = sample.group(1) + (sample.group(2) == null ? "" : sample.group(2));
                TreeSet<String> names = labels.computeIfAbsent(types.containsKey(whole) ? whole : sample.group(1), _ -> new TreeSet<>());
                LABEL.matcher(sample.group(3)).results().map(found -> found.group(1)).filter(name -> !name.equals("le")).forEach(names::add);
            }
        }
        List<Metric> all = new ArrayList<>();
        types.forEach((name, type) -> all.add(new Metric(name, type, labels.getOrDefault(name, new TreeSet<>()), help.getOrDefault(name, ""))));
        return all;
    }

    /** All of them in Markdown, by name. */
    public static String page(String title, Collection<Metric> metrics) {
        TreeMap<String, Metric> sorted = new TreeMap<>();
        metrics.forEach(metric -> sorted.put(metric.name(), metric));
        return "# " + title + "\n\nMade from the code by `./gradlew docs`; change the texts there.\n\n| metric | type | labels | tells |\n|---|---|---|---|\n"
                + sorted.values().stream().map(Metric::row).collect(Collectors.joining());
    }

    private String row() {
        String names = labels.stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
        return "| `" + name + "` | " + type + " | " + names + " | " + help.replace("|", "\\|") + " |\n";
    }
}
