package dev.cairn.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Lines over sizes, both axes logarithmic: what grows in proportion rises by 45 degrees of the grid, what does not grow stays level. */
public record LineChart(String title, String across, String unit, List<LineChart.Line> lines) {
    /** Both greater than zero. */
    public record Point(double x, double y) {}

    /** With at least one point. */
    public record Line(String name, List<Point> points) {}

    String svg() {
        List<Point> all = lines.stream().flatMap(line -> line.points.stream()).toList();
        Axis x = Axis.logarithmic(all.stream().mapToDouble(Point::x).min().orElse(1), all.stream().mapToDouble(Point::x).max().orElse(10),
                Svg.LEFT, Svg.RIGHT - 40.0);
        Axis y = Axis.logarithmic(all.stream().mapToDouble(Point::y).min().orElse(1), all.stream().mapToDouble(Point::y).max().orElse(10),
                Svg.BOTTOM, Svg.TOP);
        List<String> names = lines.stream().map(Line::name).toList();
        Svg svg = new Svg(title, names);
        svg.verticalAxis(y, unit);
        for (double tick : x.ticks()) {
            svg.line(x.place(tick), Svg.BOTTOM, x.place(tick), Svg.BOTTOM + 5.0, "#222222");
            svg.text(x.place(tick), Svg.BOTTOM + 20.0, "middle", Numbers.text(tick));
        }
        svg.text((Svg.LEFT + Svg.RIGHT) / 2.0, Svg.BOTTOM + 38.0, "middle", across + " (logarithmic)");
        for (Line line : lines) {
            String color = Svg.color(line.name, names);
            svg.path(line.points.stream().map(point -> String.format(Locale.ROOT, "%.1f,%.1f", x.place(point.x), y.place(point.y)))
                    .collect(Collectors.joining(" ")), color);
            for (Point point : line.points) {
                svg.dot(x.place(point.x), y.place(point.y), color);
                svg.text(x.place(point.x) + 7, y.place(point.y) - 7, "start", Numbers.text(point.y));
            }
        }
        return svg.end();
    }
}
