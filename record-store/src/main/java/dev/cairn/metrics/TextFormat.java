package dev.cairn.metrics;

/** Writes the Prometheus text format 0.0.4 as the Go client library writes it, so that nothing downstream sees a difference. */
final class TextFormat {
    private final StringBuilder out;

    TextFormat(int expectedLength) {
        out = new StringBuilder(expectedLength);
    }

    void header(String name, String help, MetricType type) {
        out.append("# HELP ").append(name).append(' ');
        escape(help, false, out);
        out.append("\n# TYPE ").append(name).append(' ').append(type.text()).append('\n');
    }

    void sample(String name, String suffix, LabelSet labels, double value) {
        out.append(name).append(suffix);
        if (!labels.text().isEmpty()) {
            out.append('{').append(labels.text()).append('}');
        }
        out.append(' ').append(number(value)).append('\n');
    }

    /** A histogram bucket; {@code le} comes last, after the family's own labels. */
    void bucket(String name, LabelSet labels, String upperBound, long count) {
        out.append(name).append("_bucket{");
        if (!labels.text().isEmpty()) {
            out.append(labels.text()).append(',');
        }
        out.append("le=\"").append(upperBound).append("\"} ").append(number((double) count)).append('\n');
    }

    /** Appends {@code name="value"}. */
    static void label(String name, String value, StringBuilder to) {
        to.append(name).append("=\"");
        escape(value, true, to);
        to.append('"');
    }

    /** The shortest decimal that reads back as the same double; with an exponent below 1e-4 and from 1e6 on, as Go's {@code %g} has it. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        if (Math.abs(value) < 1e6 && value == Math.rint(value)) {
            return Long.toString((long) value);
        }
        return decimal(value < 0 ? "-" : "", Double.toString(Math.abs(value)));
    }

    /**
     * Puts what Java writes as Go does. Without {@code BigDecimal}: that makes tables of large numbers when it is first used, which takes 27 ms of a start.
     */
    private static String decimal(String sign, String java) {
        int e = java.indexOf('E');
        int point = java.indexOf('.');
        String all = java.substring(0, point) + java.substring(point + 1, e < 0 ? java.length() : e);
        int from = 0;
        while (all.charAt(from) == '0') {
            from++;
        }
        int to = all.length();
        while (all.charAt(to - 1) == '0') {
            to--;
        }
        int exponent = (e < 0 ? 0 : Integer.parseInt(java, e + 1, java.length(), 10)) + point - 1 - from;
        String digits = all.substring(from, to);
        if (exponent < -4 || exponent >= 6) {
            int size = Math.abs(exponent);
            return sign + digits.charAt(0) + (digits.length() > 1 ? "." + digits.substring(1) : "") + (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + size;
        }
        if (exponent < 0) {
            return sign + "0." + "0".repeat(-exponent - 1) + digits;
        }
        int whole = exponent + 1;
        return digits.length() <= whole ? sign + digits + "0".repeat(whole - digits.length()) : sign + digits.substring(0, whole) + "." + digits.substring(whole);
    }

    private static void escape(String text, boolean quotes, StringBuilder to) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> to.append("\\\\");
                case '\n' -> to.append("\\n");
                case '"' -> to.append(quotes ? "\\\"" : "\"");
                default -> to.append(c);
            }
        }
    }

    int length() {
        return out.length();
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
