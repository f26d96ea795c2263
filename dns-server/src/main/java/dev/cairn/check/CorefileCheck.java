package dev.cairn.check;

import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.Problem;
import dev.cairn.corefile.Problems;
import dev.cairn.plugin.Host;
import dev.cairn.server.ConfigSource;
import dev.cairn.server.InstanceBuilder;
import java.util.List;

/** Everything that can be said of a configuration without starting it. */
public final class CorefileCheck {
    private CorefileCheck() {}

    /** Parses, sets up every plugin, and lints; the result is in the order of the file. */
    public static List<Problem> check(ConfigSource source, int defaultPort) {
        Problems problems = new Problems();
        Corefile corefile = source.read(problems);
        InstanceBuilder.build(corefile, Host.offline(corefile::digest), defaultPort, problems);
        Lint.lint(corefile, defaultPort, problems);
        return problems.all();
    }
}
