package dev.cairn.command;

import dev.cairn.check.CorefileCheck;
import dev.cairn.corefile.Problem;
import dev.cairn.log.Log;
import dev.cairn.server.ConfigSource;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cairn check}: finds mistakes in Corefiles without starting anything. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {"Check Corefiles without starting: errors, and warnings for what is legal but surely not meant.", ""},
        footer = {"", "Exit code: 0 without errors (warnings are allowed), 2 with errors."})
final class CheckCommand implements Callable<Integer> {
    /** How findings are printed. */
    enum Format {
        TEXT,
        JSON
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The Corefiles to check (default: ./Corefile).")
    private List<Path> files = List.of();

    @Option(names = "--format", paramLabel = "text|json", defaultValue = "text", description = "How to print findings (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    @Option(
            names = {"-p", "-dns.port", "--dns.port"},
            paramLabel = "PORT",
            defaultValue = "53",
            description = "The port of zones that name none (default: ${DEFAULT-VALUE}).")
    private int port = 53;

    @Override
    public Integer call() {
        List<Problem> problems = new ArrayList<>();
        List<Path> all = files.isEmpty() ? List.of(Path.of("Corefile")) : files;
        all.forEach(file -> problems.addAll(CorefileCheck.check(ConfigSource.file(file), port)));
        PrintWriter out = spec.commandLine().getOut();
        switch (format) {
            case TEXT -> printText(problems, all, out);
            case JSON -> out.println(json(problems));
        }
        out.flush();
        return problems.stream().anyMatch(CheckCommand::isError) ? Cairn.USAGE : 0;
    }

    private static boolean isError(Problem problem) {
        return problem.severity() == Problem.Severity.ERROR;
    }

    private static void printText(List<Problem> problems, List<Path> all, PrintWriter out) {
        problems.forEach(problem -> out.println(problem.at() + ": " + (isError(problem) ? "" : "warning: ") + problem.message()));
        if (problems.isEmpty()) {
            out.println(all.size() == 1 ? all.getFirst() + ": no problems" : all.size() + " files: no problems");
        }
    }

    private static String json(List<Problem> problems) {
        StringBuilder json = new StringBuilder("[");
        for (Problem problem : problems) {
            json.append(json.length() == 1 ? "\n  {\"file\":" : ",\n  {\"file\":");
            Log.quote(json, problem.at().file());
            json.append(",\"line\":").append(problem.at().line()).append(",\"severity\":");
            Log.quote(json, problem.severity().name().toLowerCase(Locale.ROOT));
            Log.quote(json.append(",\"message\":"), problem.message());
            json.append('}');
        }
        return json.append(problems.isEmpty() ? "]" : "\n]").toString();
    }
}
