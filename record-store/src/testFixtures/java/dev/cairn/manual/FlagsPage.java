package dev.cairn.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** All flags of a command and its subcommands, in Markdown. */
public final class FlagsPage {
    private FlagsPage() {}

    public static String of(CommandSpec command) {
        StringBuilder page = new StringBuilder("# Flags of `" + command.name() + "`\n\n")
                .append("Made from the code by `./gradlew docs`; change the descriptions there.\n");
        CommandTexts.withSubcommands(command).forEach(each -> section(each, page));
        return page.toString();
    }

    private static void section(CommandSpec command, StringBuilder page) {
        page.append("\n## `").append(command.qualifiedName()).append("`\n\n").append(CommandTexts.description(command))
                .append("\n\n    ").append(CommandTexts.synopsis(command)).append('\n');
        List<String> rows = new ArrayList<>();
        CommandTexts.parameters(command).forEach(parameter -> rows.add(row("`" + parameter.paramLabel() + "`", CommandTexts.description(parameter))));
        List<OptionSpec> inherited = new ArrayList<>();
        for (OptionSpec option : CommandTexts.options(command)) {
            if (isOfParent(option, command)) {
                inherited.add(option);
            } else {
                String label = CommandTexts.label(option);
                rows.add(row(names(option) + (label.isEmpty() ? "" : " `" + label + "`"), CommandTexts.description(option)));
            }
        }
        if (!rows.isEmpty()) {
            page.append("\n| flag | says |\n|---|---|\n").append(String.join("", rows));
        }
        if (!inherited.isEmpty()) {
            page.append("\nAnd as `").append(command.parent().qualifiedName()).append("` takes them: ")
                    .append(inherited.stream().map(option -> "`" + option.longestName() + "`").collect(Collectors.joining(", "))).append(".\n");
        }
    }

    private static boolean isOfParent(OptionSpec option, CommandSpec command) {
        OptionSpec same = command.parent() == null ? null : command.parent().findOption(option.longestName());
        return same != null && List.of(same.names()).equals(List.of(option.names()))
                && CommandTexts.description(same).equals(CommandTexts.description(option));
    }

    private static String names(OptionSpec option) {
        return List.of(option.names()).stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
    }

    private static String row(String flag, String says) {
        return "| " + flag.replace("|", "\\|") + " | " + says.replace("|", "\\|") + " |\n";
    }
}
