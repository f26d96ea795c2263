package dev.cairn.metrics;

import java.math.BigDecimal;

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
        BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        int exponent = decimal.precision() - decimal.scale() - 1;
        if (exponent >= -4 && exponent < 6) {
            return decimal.toPlainString();
        }
        String digits = decimal.unscaledValue().abs().toString();
        StringBuilder text = new StringBuilder(24);
        text.append(value < 0 ? "-" : "").append(digits.charAt(0));
        if (digits.length() > 1) {
            text.append('.').append(digits, 1, digits.length());
        }
        text.append('e').append(exponent < 0 ? '-' : '+');
        int size = Math.abs(exponent);
        return text.append(size < 10 ? "0" : "").append(size).toString();
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
