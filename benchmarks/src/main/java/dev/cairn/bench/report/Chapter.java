package dev.cairn.bench.report;

import java.util.List;
import java.util.function.Function;

/**
 * How a part of the run is shown.
 *
 * @param part its name
 * @param about what was measured and how, in a few sentences
 * @param base the server whose CPU time others are compared with; empty for none
 * @param outlook what follows from the figures, computed; empty for nothing
 */
public record Chapter(String part, String title, String about, String base, List<Chart> charts, Function<Section, String> outlook) {
    public Chapter(String part, String title, String about, String base, List<Chart> charts) {
        this(part, title, about, base, charts, _ -> "");
    }
}
