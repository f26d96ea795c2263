package dev.cairn.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A metric name with its label names, and one child per set of label values. Safe for use by any thread. */
abstract sealed class Family<C> permits CounterFamily, GaugeFamily, HistogramFamily {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern LABEL_NAME = Pattern.compile("(?!__)[a-zA-Z_][a-zA-Z0-9_]*");

    private final String name;
    private final String help;
    private final MetricType type;
    private final List<String> labelNames;
    /** Positions in labelNames, by name: the Go client prints labels by name, and children in the order of the values so arranged. */
    private final int[] printOrder;
    private final ConcurrentSkipListMap<LabelSet, C> children = new ConcurrentSkipListMap<>();

    Family(String name, String help, MetricType type, String[] labelNames) {
        check(NAME.matcher(name).matches(), "not a metric name: " + name);
        for (String label : labelNames) {
            boolean reserved = type == MetricType.HISTOGRAM && label.equals("le");
            check(LABEL_NAME.matcher(label).matches() && !reserved, "not a label name: " + label + " (of " + name + ")");
        }
        check(Arrays.stream(labelNames).distinct().count() == labelNames.length, "a label name occurs twice in " + name);
        this.name = name;
        this.help = help;
        this.type = type;
        this.labelNames = List.of(labelNames);
        this.printOrder = IntStream.range(0, labelNames.length).boxed()
            .sorted((one, other) -> labelNames[one].compareTo(labelNames[other])).mapToInt(Integer::intValue).toArray();
    }

    final String name() {
        return name;
    }

    final String help() {
        return help;
    }

    final MetricType type() {
        return type;
    }

    final List<String> labelNames() {
        return labelNames;
    }

    final C child(String[] labelValues) {
        LabelSet key = labels(labelValues);
        C known = children.get(key);
        if (known != null) {
            return known;
        }
        // computeIfAbsent of a skip list may run its function twice, and the loser's cells would stay allocated.
        synchronized (children) {
            return children.computeIfAbsent(key, k -> create());
        }
    }

    final void removeChild(String[] labelValues) {
        children.remove(labels(labelValues));
    }

    final void removeChildren() {
        children.clear();
    }

    /** Writes the family, or nothing if it has no children. */
    final void write(TextFormat out, long[] totals) {
        if (children.isEmpty()) {
            return;
        }
        out.header(name, help, type);
        children.forEach((labels, child) -> writeChild(out, labels, child, totals));
    }

    abstract C create();

    abstract void writeChild(TextFormat out, LabelSet labels, C child, long[] totals);

    private LabelSet labels(String[] values) {
        check(values.length == labelNames.size(), name + " has the labels " + labelNames + " but got " + Arrays.toString(values));
        String[] sorted = new String[values.length];
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = values[printOrder[i]];
            if (i > 0) {
                text.append(',');
            }
            TextFormat.label(labelNames.get(printOrder[i]), sorted[i], text);
        }
        return new LabelSet(List.of(sorted), text.toString());
    }

    private static void check(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
