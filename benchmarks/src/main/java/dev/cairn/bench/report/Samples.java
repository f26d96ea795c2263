package dev.cairn.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects what is measured in one part of a run. */
public final class Samples {
    private record Key(String measure, String server, long at) {}

    private final String part;
    private final Map<String, String> about = new LinkedHashMap<>();
    private final Map<Key, List<Double>> values = new LinkedHashMap<>();
    private final Map<Key, String> notes = new LinkedHashMap<>();

    public Samples(String part) {
        this.part = part;
    }

    /** Something to know beside the figures. */
    public void about(String what, String text) {
        about.put(what, text);
    }

    public void add(String measure, String server, double value) {
        add(measure, server, 0, value);
    }

    /** Adds a value that was measured at a size. */
    public void add(String measure, String server, long at, double value) {
        values.computeIfAbsent(new Key(measure, server, at), _ -> new ArrayList<>()).add(value);
    }

    /** Takes over what another process has made of some values: of more than three, the least, the median and the most. */
    public void add(Figure figure) {
        if (!figure.note().isEmpty()) {
            note(figure.measure(), figure.server(), figure.note());
            return;
        }
        for (double value : figure.least() == figure.most() ? new double[] {figure.value()} : new double[] {figure.least(), figure.value(), figure.most()}) {
            add(figure.measure(), figure.server(), figure.at(), value);
        }
    }

    /** What to show where there is no number, such as that a server was killed. */
    public void note(String measure, String server, String note) {
        Key key = new Key(measure, server, 0);
        values.putIfAbsent(key, new ArrayList<>());
        notes.put(key, note);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public Section section() {
        List<Figure> figures = new ArrayList<>();
        values.forEach((key, all) -> {
            List<Double> sorted = all.stream().sorted().toList();
            figures.add(notes.containsKey(key) ? Figure.noted(key.measure, key.server, key.at, notes.getOrDefault(key, ""))
                    : new Figure(key.measure, key.server, key.at, median(sorted), sorted.getFirst(), sorted.getLast(), ""));
        });
        return new Section(part, about, figures);
    }

    private static double median(List<Double> sorted) {
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
