package dev.cairn.corefile;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Files by a pattern, where {@code *} is any part of a name and {@code ?} any one character; hidden files match too. */
final class Glob {

    private Glob() {
    }

    static boolean isPattern(String text) {
        return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
    }

    /** What exists under an absolute path whose names may be patterns, sorted by name. */
    static List<Path> matches(Path pattern) {
        Path root = pattern.getRoot();
        if (root == null) {
            throw new IllegalArgumentException("not absolute: " + pattern);
        }
        List<Path> found = List.of(root);
        for (Path element : pattern) {
            List<Path> deeper = new ArrayList<>();
            for (Path directory : found) {
                if (isPattern(element.toString())) {
                    deeper.addAll(matches(directory, element.toString()));
                } else if (Files.exists(directory.resolve(element), LinkOption.NOFOLLOW_LINKS)) {
                    deeper.add(directory.resolve(element));
                }
            }
            found = deeper;
        }
        return found;
    }

    private static List<Path> matches(Path directory, String name) {
        StringBuilder regex = new StringBuilder();
        name.codePoints().forEach(c -> regex.append(switch (c) {
            case '*' -> ".*";
            case '?' -> ".";
            default -> Pattern.quote(Character.toString(c));
        }));
        Pattern wanted = Pattern.compile(regex.toString(), Pattern.DOTALL);
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory,
                entry -> wanted.matcher(String.valueOf(entry.getFileName())).matches())) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // not a directory, or not for us: nothing there matches
        }
        found.sort(null);
        return found;
    }
}
