package dev.cairn.metrics;

import java.util.List;

/**
 * The label values of one child, in the order of the sorted label names, with the text that goes between the braces.
 *
 * @param values the values; sets of one family are ordered by them
 * @param text {@code name="value"} pairs, comma separated and escaped; empty for a family without labels
 */
record LabelSet(List<String> values, String text) implements Comparable<LabelSet> {
    @Override
    public int compareTo(LabelSet other) {
        for (int i = 0; i < values.size(); i++) {
            int order = values.get(i).compareTo(other.values.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
