package dev.cairn.bench.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * What is remembered of one part of a run.
 *
 * @param about when, where and with what it was measured, in the order to show it
 */
public record Section(String part, Map<String, String> about, List<Figure> figures) {
    public Optional<Figure> figure(String measure, String server) {
        return figure(measure, server, 0);
    }

    public Optional<Figure> figure(String measure, String server, long at) {
        return figures.stream().filter(one -> one.measure().equals(measure) && one.server().equals(server) && one.at() == at).findFirst();
    }

    /** The median; not a number if it was not measured. */
    public double value(String measure, String server) {
        return figure(measure, server).map(Figure::value).orElse(Double.NaN);
    }

    /** In the order they were measured. */
    public SequencedSet<String> measures() {
        return new LinkedHashSet<>(figures.stream().map(Figure::measure).toList());
    }

    public SequencedSet<String> servers() {
        return new LinkedHashSet<>(figures.stream().map(Figure::server).toList());
    }

    /** The sizes it was measured at, the least first. */
    public List<Long> sizes() {
        return figures.stream().map(Figure::at).distinct().sorted().toList();
    }
}
