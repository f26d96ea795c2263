package dev.cairn.metrics;

/** Counts up, from any thread, without contention and without garbage. */
public final class Counter {
    private final Cells cells;
    private final int cell;

    Counter(Cells cells, int cell) {
        this.cells = cells;
        this.cell = cell;
    }

    public void increment() {
        Cells.add(cells.ofThisThread(cell), cell, 1);
    }

    /**
     * Counts several at once.
     *
     * @throws IllegalArgumentException if {@code n} is negative: a scraper would take the lower value for a restart
     */
    public void add(long n) {
        if (n < 0) {
            throw new IllegalArgumentException("a counter cannot go down, got " + n);
        }
        Cells.add(cells.ofThisThread(cell), cell, n);
    }

    /** The sum over all threads. Increments of other threads may show up a moment late. */
    public long value() {
        return cells.total(cell);
    }

    long in(long[] totals) {
        return Cells.at(totals, cell);
    }
}
