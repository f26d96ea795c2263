package dev.cairn.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An SVG picture as text, with the frame that all plots share: a title, a legend, and a vertical axis. */
final class Svg {
    static final int WIDTH = 760;
    static final int HEIGHT = 400;
    static final int LEFT = 70;
    static final int RIGHT = WIDTH - 20;
    static final int TOP = 96;
    static final int BOTTOM = HEIGHT - 50;

    private static final String DARK = "#222222";
    private static final String FAINT = "#dddddd";
    private static final Map<String, String> COLORS = Map.of("cairn", "#00796b", "cairn-proxy", "#00796b", "CoreDNS", "#d95f02",
            "kube-proxy", "#d95f02", "Knot", "#5b6abf", "Unbound", "#b8860b");
    private static final List<String> OTHERS = List.of("#7a7a7a", "#a64d79", "#3c78d8");

    private final StringBuilder text = new StringBuilder();

    Svg(String title, List<String> series) {
        text.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT)
                .append("\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>").append(escape(title)).append("</title>\n");
        rect(0, 0, WIDTH, HEIGHT, "#ffffff");
        text.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"24\" font-size=\"16\" font-weight=\"bold\" fill=\"%s\">%s</text>%n",
                LEFT - 50, DARK, escape(title)));
        double x = LEFT - 50.0;
        for (String name : series) {
            rect(x, 38, 12, 12, color(name, series));
            text(x + 17, 48, "start", name);
            x += 17 + 7.5 * name.length() + 22;
        }
    }

    static String color(String name, List<String> series) {
        return COLORS.getOrDefault(name, OTHERS.get(series.indexOf(name) % OTHERS.size()));
    }

    /** Lines and numbers at the left. */
    void verticalAxis(Axis axis, String unit) {
        text(LEFT - 50, TOP - 22, "start", unit + (axis.isLogarithmic() ? " (logarithmic)" : ""));
        for (double tick : axis.ticks()) {
            double y = axis.place(tick);
            line(LEFT, y, RIGHT, y, FAINT);
            text(LEFT - 6, y + 4, "end", Numbers.text(tick));
        }
    }

    void rect(double x, double y, double width, double height, String fill) {
        text.append(String.format(Locale.ROOT, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n", x, y, width, height, fill));
    }

    void line(double x1, double y1, double x2, double y2, String color) {
        text.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n", x1, y1, x2, y2, color));
    }

    void path(String points, String color) {
        text.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"").append(color).append("\" points=\"").append(points).append("\"/>\n");
    }

    void dot(double x, double y, String color) {
        text.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>%n", x, y, color));
    }

    /** @param anchor which end of the text is at the place: start, middle or end */
    void text(double x, double y, String anchor, String words) {
        text.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n", x, y, anchor, DARK, escape(words)));
    }

    static String escape(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    String end() {
        return text.append("</svg>\n").toString();
    }
}
