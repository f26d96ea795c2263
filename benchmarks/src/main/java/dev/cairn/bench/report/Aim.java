package dev.cairn.bench.report;

/**
 * Something to be reached, and what was.
 *
 * @param reached the figures; empty if they were not measured
 */
public record Aim(String aim, String reached, Verdict verdict) {
    /** Whether it was reached. */
    public enum Verdict {
        MET("met"),
        /** What it is to be compared with was worse itself in one of its rounds, so that the next run may say otherwise. */
        CLOSE("missed by less than the other's rounds differ"),
        MISSED("**missed**");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        /**
         * What to say of a value.
         *
         * @param most what it may be at most
         * @param worst what that would be by the worst round of the other
         */
        public static Verdict of(double value, double most, double worst) {
            if (value <= most) {
                return MET;
            }
            return value <= worst ? CLOSE : MISSED;
        }
    }

    String row() {
        return "| " + aim + " | " + (reached.isEmpty() ? "not measured yet | |" : reached + " | " + verdict.text + " |") + "\n";
    }
}
