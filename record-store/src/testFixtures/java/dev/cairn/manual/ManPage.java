package dev.cairn.manual;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A manual page of section 1 or 8, in the language of man(7). */
public final class ManPage {
    private ManPage() {}

    /** The name under which {@code man} finds it: {@code cairn-check}. */
    public static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    public static String of(CommandSpec command, int section) {
        StringBuilder page = new StringBuilder(".TH \"" + text(name(command).toUpperCase(Locale.ROOT)) + "\" \"" + section + "\" \"\" \"Cairn\" \"Cairn\"\n");
        String description = CommandTexts.description(command);
        page.append(".SH NAME\n").append(text(name(command))).append(" \\- ").append(text(firstSentence(description))).append('\n');
        page.append(".SH SYNOPSIS\n.B ").append(text(CommandTexts.synopsis(command))).append('\n');
        page.append(".SH DESCRIPTION\n").append(line(description));
        if (!CommandTexts.options(command).isEmpty() || !CommandTexts.parameters(command).isEmpty()) {
            page.append(".SH OPTIONS\n");
            CommandTexts.parameters(command).forEach(parameter ->
                    item("\\fI" + text(parameter.paramLabel()) + "\\fR", CommandTexts.description(parameter), page));
            CommandTexts.options(command).forEach(option -> item(head(option), CommandTexts.description(option), page));
        }
        commands(command, page);
        List<String> footer = CommandTexts.footer(command);
        if (!footer.isEmpty()) {
            page.append(".SH NOTES\n.nf\n").append(footer.stream().map(ManPage::line).collect(Collectors.joining())).append(".fi\n");
        }
        if (command.parent() != null) {
            page.append(".SH SEE ALSO\n.BR ").append(text(name(command.parent()))).append(" (").append(section).append(")\n");
        }
        return page.toString();
    }

    private static void commands(CommandSpec command, StringBuilder page) {
        List<CommandSpec> below = command.subcommands().values().stream().distinct().map(CommandLine::getCommandSpec).toList();
        if (!below.isEmpty()) {
            page.append(".SH COMMANDS\n");
            below.forEach(sub -> item("\\fB" + text(sub.name()) + "\\fR", CommandTexts.description(sub), page));
        }
    }

    private static String head(OptionSpec option) {
        String names = List.of(option.names()).stream().map(name -> "\\fB" + text(name) + "\\fR").collect(Collectors.joining(", "));
        String label = CommandTexts.label(option);
        return label.isEmpty() ? names : names + " \\fI" + text(label) + "\\fR";
    }

    private static void item(String head, String says, StringBuilder page) {
        page.append(".TP\n").append(head).append('\n').append(line(says));
    }

    private static String firstSentence(String description) {
        int end = description.indexOf(". ");
        return (end < 0 ? description : description.substring(0, end)).replaceAll("\\.$", "");
    }

    /** A line of its own, which must not look like a request. */
    private static String line(String words) {
        String safe = text(words);
        return (safe.startsWith(".") || safe.startsWith("'") ? "\\&" : "") + safe + "\n";
    }

    private static String text(String words) {
        return words.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    }
}
