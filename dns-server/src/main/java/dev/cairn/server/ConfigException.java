package dev.cairn.server;

import dev.cairn.corefile.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration has errors; carries all of them. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    ConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
