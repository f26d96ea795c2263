package dev.cairn.bench.report;

import java.util.List;

/** The straight line with the least squares of distances to some points. */
public record Slope(double start, double perUnit) {
    /** The line of some points, which must have two different sizes. */
    public static Slope fit(List<LineChart.Point> points) {
        double meanX = points.stream().mapToDouble(LineChart.Point::x).average().orElse(0);
        double meanY = points.stream().mapToDouble(LineChart.Point::y).average().orElse(0);
        double squares = 0;
        double products = 0;
        for (LineChart.Point point : points) {
            squares += (point.x() - meanX) * (point.x() - meanX);
            products += (point.x() - meanX) * (point.y() - meanY);
        }
        if (squares == 0) {
            throw new IllegalArgumentException("a slope needs two sizes");
        }
        return new Slope(meanY - products / squares * meanX, products / squares);
    }

    public double at(double size) {
        return start + perUnit * size;
    }
}
