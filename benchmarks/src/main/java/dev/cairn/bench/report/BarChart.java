package dev.cairn.bench.report;

import java.util.List;

/** Groups of bars, one bar in each for every series, with its value above it. Values that are not numbers have no bar. */
record BarChart(String title, String unit, List<String> series, List<BarChart.Group> groups) {
    /** Values further apart than this would not all be seen on a linear axis. */
    private static final double FAR = 60;
    private static final double GAP = 0.25;

    /** @param values in the order of the series */
    record Group(String name, List<Double> values) {}

    String svg() {
        List<Double> values = groups.stream().flatMap(group -> group.values.stream()).filter(value -> Double.isFinite(value) && value > 0).toList();
        double most = values.stream().mapToDouble(value -> value).max().orElse(1);
        double least = values.stream().mapToDouble(value -> value).min().orElse(1);
        Axis axis = most / least > FAR ? Axis.logarithmic(least / 2, most, Svg.BOTTOM, Svg.TOP) : Axis.linear(most, Svg.BOTTOM, Svg.TOP);
        Svg svg = new Svg(title, series);
        svg.verticalAxis(axis, unit);
        double each = (double) (Svg.RIGHT - Svg.LEFT) / Math.max(1, groups.size());
        double bar = each * (1 - GAP) / series.size();
        for (int g = 0; g < groups.size(); g++) {
            Group group = groups.get(g);
            double x = Svg.LEFT + g * each + each * GAP / 2;
            for (int s = 0; s < series.size(); s++) {
                double value = group.values.get(s);
                if (Double.isFinite(value) && value >= 0) {
                    double y = axis.place(value);
                    svg.rect(x + s * bar, y, bar * 0.92, Svg.BOTTOM - y, Svg.color(series.get(s), series));
                    svg.text(x + s * bar + bar * 0.46, y - 4, "middle", Numbers.text(value));
                }
            }
            label(svg, group.name, Svg.LEFT + (g + 0.5) * each, each);
        }
        return svg.end();
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
