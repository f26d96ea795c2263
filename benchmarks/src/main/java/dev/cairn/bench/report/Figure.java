package dev.cairn.bench.report;

/**
 * One figure: the median of what was measured of a server, with the least and the most.
 *
 * @param measure what it is, with its unit, such as {@code CPU, µs/query}
 * @param at the size it was measured at, where there are several; 0 otherwise
 * @param value the median; not a number if there is only a note
 * @param note what to show instead of a number; empty if there is one
 */
public record Figure(String measure, String server, long at, double value, double least, double most, String note) {
    /** A figure for which there is no number, but a word. */
    public static Figure noted(String measure, String server, long at, String note) {
        return new Figure(measure, server, at, Double.NaN, Double.NaN, Double.NaN, note);
    }

    /** As a cell of a table: the median, and the range if there is one. */
    public String text() {
        if (!note.isEmpty()) {
            return note;
        }
        String median = Numbers.text(value);
        String from = Numbers.text(least);
        String to = Numbers.text(most);
        return from.equals(to) ? median : median + " (" + from + "-" + to + ")";
    }
}
