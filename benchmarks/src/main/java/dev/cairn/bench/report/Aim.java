package dev.cairn.bench.report;

/**
 * Something to be reached, and what was.
 *
 * @param reached the figures; empty if they were not measured
 */
public record Aim(String aim, String reached, boolean met) {
    String row() {
        return "| " + aim + " | " + (reached.isEmpty() ? "not measured yet | |" : reached + " | " + (met ? "met" : "**missed**") + " |") + "\n";
    }
}
