package dev.cairn.corefile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what is wrong with a configuration; owned by the thread that reads it. The same problem is kept once. */
public final class Problems {

    private final Set<Problem> problems = new LinkedHashSet<>();
    /** In the order in which they were first read. */
    private final Map<String, Integer> files = new LinkedHashMap<>();
    private boolean errors;

    /** Notes a mistake that keeps the configuration from being used. */
    public void error(Position at, String message) {
        add(new Problem(Problem.Severity.ERROR, at, message));
    }

    /** Notes something that works, but hardly as it was meant. */
    public void warning(Position at, String message) {
        add(new Problem(Problem.Severity.WARNING, at, message));
    }

    /** Whether any problem so far is an error. */
    public boolean hasErrors() {
        return errors;
    }

    /** All problems, by the first appearance of their file and then by line. */
    public List<Problem> all() {
        List<Problem> sorted = new ArrayList<>(problems);
        sorted.sort(this::inOrder);
        return List.copyOf(sorted);
    }

    private int inOrder(Problem one, Problem other) {
        int byFile = Integer.compare(files.getOrDefault(one.at().file(), 0), files.getOrDefault(other.at().file(), 0));
        return byFile != 0 ? byFile : Integer.compare(one.at().line(), other.at().line());
    }

    /** Gives a file its place in the order before anything is wrong with it. */
    void reading(String file) {
        files.putIfAbsent(file, files.size());
    }

    void addAll(Problems others) {
        others.files.keySet().forEach(this::reading);
        others.problems.forEach(this::add);
    }

    private void add(Problem problem) {
        reading(problem.at().file());
        problems.add(problem);
        errors |= problem.severity() == Problem.Severity.ERROR;
    }
}
