package dev.cairn.bench;

import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Samples;
import java.io.IOException;

/** A part of the run: measures servers in turn, and says how the figures are shown. */
interface Part {
    /** Its name is what {@code --only} takes. */
    Chapter chapter();

    default String name() {
        return chapter().part();
    }

    /** About how long it takes, without writing services to an API server. */
    int seconds(Plan plan);

    /** How many services an API server has to hold for it; 0 if it needs none. */
    default int services(Plan plan) {
        return plan.services();
    }

    /** Whether it is left out unless everything is asked for. */
    boolean isLong();

    void measure(Run run, Samples samples) throws IOException, InterruptedException;
}
