package dev.cairn.manual;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command that a page shows in a block that begins with {@code $}, and what it prints.
 *
 * @param code what {@code echo $?} after it shows; -1 if the guide does not say
 */
public record Session(String page, String command, String output, int code) {
    private static final Pattern BLOCK = Pattern.compile("^```\\n(\\$ .*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern STEP = Pattern.compile("^\\$ (.*)\\n((?:(?!\\$ ).*\\n)*)", Pattern.MULTILINE);
    private static final String CODE = "echo $?";

    /** Those of the front page and of all guides. */
    public static List<Session> all() throws IOException {
        Path root = Path.of(System.getProperty("cairn.root"));
        List<Session> all = new ArrayList<>();
        try (Stream<Path> guides = Files.list(root.resolve("docs/guides"))) {
            Stream<Path> pages = Stream.concat(Stream.of(root.resolve("README.md")), guides);
            for (Path page : pages.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
                BLOCK.matcher(Files.readString(page)).results().forEach(block -> add(page.getFileName().toString(), block.group(1), all));
            }
        }
        return all;
    }

    /** Those that run a program. */
    public static List<Session> of(String program) throws IOException {
        return all().stream().filter(session -> session.program().equals(program)).toList();
    }

    private static void add(String page, String block, List<Session> all) {
        Matcher step = STEP.matcher(block);
        while (step.find()) {
            if (step.group(1).equals(CODE)) {
                Session before = all.removeLast();
                all.add(new Session(page, before.command(), before.output(), Integer.parseInt(step.group(2).strip())));
            } else {
                all.add(new Session(page, step.group(1), step.group(2), -1));
            }
        }
    }

    public String program() {
        return command.split(" ", 2)[0];
    }

    public String[] arguments() {
        return command.substring(command.indexOf(' ') + 1).split(" ");
    }

    @Override
    public String toString() {
        return page + ": " + command;
    }
}
