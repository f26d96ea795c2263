package dev.cairn.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What picocli knows of a command, as plain text. */
final class CommandTexts {
    private CommandTexts() {}

    /** The command and all below it. */
    static List<CommandSpec> withSubcommands(CommandSpec command) {
        List<CommandSpec> all = new ArrayList<>(List.of(command));
        command.subcommands().values().stream().distinct().map(CommandLine::getCommandSpec).forEach(sub -> all.addAll(withSubcommands(sub)));
        return all;
    }

    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden()).toList();
    }

    static List<PositionalParamSpec> parameters(CommandSpec command) {
        return command.positionalParameters().stream().filter(parameter -> !parameter.hidden()).toList();
    }

    /** What is written after an option; empty for a switch. */
    static String label(OptionSpec option) {
        return option.arity().min() == 0 ? "" : option.paramLabel();
    }

    /** The description in one line, or what picocli puts there for an option of its own. */
    static String description(ArgSpec argument) {
        return oneLine(Stream.of(argument.description()));
    }

    static String description(CommandSpec command) {
        return oneLine(Stream.of(command.usageMessage().description()));
    }

    private static String oneLine(Stream<String> lines) {
        return String.join(" ", lines.map(line -> String.format(line).strip()).filter(line -> !line.isEmpty()).toList());
    }

    static String synopsis(CommandSpec command) {
        return command.commandLine().getHelp().abbreviatedSynopsis().strip();
    }

    /** The lines below the options, without empty ones around them. */
    static List<String> footer(CommandSpec command) {
        return Stream.of(command.usageMessage().footer()).map(String::format).toList().stream().dropWhile(String::isBlank).toList();
    }
}
