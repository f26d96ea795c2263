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

    /** About how long it takes, without the cluster that parts share. */
    int seconds(Plan plan);

    /** Whether it needs the cluster that parts share. */
    boolean needsCluster();

    /** Whether it is left out unless everything is asked for. */
    boolean isLong();

    void measure(Run run, Samples samples) throws IOException, InterruptedException;
}
