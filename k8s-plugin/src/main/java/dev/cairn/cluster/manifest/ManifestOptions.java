package dev.cairn.cluster.manifest;

import dev.cairn.cluster.control.ControlOptions;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a cluster is written down, and what its control plane gives out.
 *
 * @param paths files, and directories in which all {@code *.yaml}, {@code *.yml} and {@code *.json} count
 */
public record ManifestOptions(List<Path> paths, ControlOptions control) {
    public ManifestOptions {
        paths = List.copyOf(paths);
    }

    /** With a control plane that adds nothing of its own. */
    public static ManifestOptions of(List<Path> paths) {
        return new ManifestOptions(paths, ControlOptions.DEFAULT);
    }
}
