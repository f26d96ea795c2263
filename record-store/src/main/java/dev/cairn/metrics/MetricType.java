package dev.cairn.metrics;

/** What the {@code # TYPE} line says. */
enum MetricType {
    COUNTER("counter"),
    GAUGE("gauge"),
    HISTOGRAM("histogram");

    private final String text;

    MetricType(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
