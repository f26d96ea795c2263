package dev.cairn.bench.report;

import java.util.List;

/**
 * A plot of some measures of a part.
 *
 * @param file its name, without the ending
 * @param unit what the vertical axis counts
 * @param measures which measures; for lines only one
 */
public record Chart(String file, String title, String unit, Kind kind, List<String> measures) {
    /** Values side by side; ratios to the first server's; or a line over sizes for each server. */
    public enum Kind { BARS, RATIOS, LINES }

    String svg(Section section) {
        List<String> servers = List.copyOf(section.servers());
        if (kind == Kind.LINES) {
            String measure = measures.getFirst();
            List<LineChart.Line> lines = servers.stream().map(server -> new LineChart.Line(server, section.figures().stream()
                    .filter(one -> one.measure().equals(measure) && one.server().equals(server) && one.at() > 0 && one.value() > 0)
                    .map(one -> new LineChart.Point(one.at(), one.value())).toList())).filter(line -> !line.points().isEmpty()).toList();
            return new LineChart(title, "services", unit, lines).svg();
        }
        List<BarChart.Group> groups = measures.stream().filter(section.measures()::contains).map(measure -> {
            double first = kind == Kind.RATIOS ? section.value(measure, servers.getFirst()) : 1;
            return new BarChart.Group(withoutUnit(measure), servers.stream().map(server -> bar(section, measure, server, first)).toList());
        }).toList();
        return new BarChart(title, unit, servers, groups).svg();
    }

    /** A figure as so many times the base; one that has only a note says that in its place. */
    static BarChart.Bar bar(Section section, String measure, String server, double base) {
        return section.figure(measure, server).map(one -> new BarChart.Bar(one.value() / base, one.note())).orElse(new BarChart.Bar(Double.NaN, ""));
    }

    /** The unit stands at the axis already. */
    static String withoutUnit(String measure) {
        return measure.replaceFirst(", [^,]*$", "");
    }

    boolean canBeDrawn(Section section) {
        return measures.stream().anyMatch(measure ->
                section.figures().stream().anyMatch(one -> one.measure().equals(measure) && Double.isFinite(one.value()) && one.value() > 0));
    }
}
