package dev.cairn.bench.report;

import java.util.List;

/** Groups of bars, one bar in each for every series, with its value above it. Values that are not numbers have no bar, but may have a word. */
record BarChart(String title, String unit, List<String> series, List<BarChart.Group> groups) {
    /** Values further apart than this would not all be seen on a linear axis. */
    private static final double FAR = 60;
    private static final double GAP = 0.25;

    /** @param bars in the order of the series */
    record Group(String name, List<Bar> bars) {}

    /**
     * What stands in the place of one series.
     *
     * @param note what to say where there is no value; empty for nothing
     */
    record Bar(double value, String note) {
        boolean isDrawn() {
            return Double.isFinite(value) && value >= 0;
        }
    }

    String svg() {
        List<Double> values = groups.stream().flatMap(group -> group.bars.stream()).map(Bar::value).filter(value -> Double.isFinite(value) && value > 0).toList();
        double most = values.stream().mapToDouble(value -> value).max().orElse(1);
        double least = values.stream().mapToDouble(value -> value).min().orElse(1);
        Axis axis = most / least > FAR ? Axis.logarithmic(least / 2, most, Svg.BOTTOM, Svg.TOP) : Axis.linear(most, Svg.BOTTOM, Svg.TOP);
        Svg svg = new Svg(title, series);
        svg.verticalAxis(axis, unit);
        double each = (double) (Svg.RIGHT - Svg.LEFT) / Math.max(1, groups.size());
        double width = each * (1 - GAP) / series.size();
        for (int g = 0; g < groups.size(); g++) {
            Group group = groups.get(g);
            double x = Svg.LEFT + g * each + each * GAP / 2;
            for (int s = 0; s < series.size(); s++) {
                draw(svg, axis, group.bars.get(s), x + s * width, width, Svg.color(series.get(s), series));
            }
            label(svg, group.name, Svg.LEFT + (g + 0.5) * each, each);
        }
        return svg.end();
    }

    private static void draw(Svg svg, Axis axis, Bar bar, double x, double width, String color) {
        double middle = x + width * 0.46;
        if (bar.isDrawn()) {
            double y = axis.place(bar.value);
            svg.rect(x, y, width * 0.92, Svg.BOTTOM - y, color);
            svg.text(middle, y - 4, "middle", Numbers.text(bar.value));
        } else if (!bar.note.isEmpty()) {
            svg.text(middle, Svg.BOTTOM - 4, "middle", bar.note);
        }
    }

    /** In two lines if it is too wide for one. */
    private static void label(Svg svg, String name, double x, double width) {
        int half = name.length() * 6.5 <= width ? -1 : name.lastIndexOf(' ', name.length() / 2 + 4);
        if (half < 0) {
            svg.text(x, Svg.BOTTOM + 18, "middle", name);
        } else {
            svg.text(x, Svg.BOTTOM + 18, "middle", name.substring(0, half));
            svg.text(x, Svg.BOTTOM + 34, "middle", name.substring(half + 1));
        }
    }
}
