package dev.cairn.plugin;

import dev.cairn.wire.WireName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The search list of a file like {@code /etc/resolv.conf}. */
public final class SearchList {
    private SearchList() {}

    /**
     * Reads the last line of {@code search} or {@code domain}, which is the one that counts (resolv.conf(5)).
     *
     * @throws IOException with a sentence for the user if the file cannot be read or a word is not a name
     */
    public static List<WireName> read(Path file) throws IOException {
        List<WireName> found = List.of();
        for (String line : Files.readAllLines(file)) {
            List<String> words = Arrays.asList(line.strip().split("\\s+"));
            if (words.getFirst().equals("search")) {
                found = names(words.subList(1, words.size()));
            } else if (words.getFirst().equals("domain") && words.size() > 1) {
                found = names(words.subList(1, 2));
            }
        }
        return found;
    }

    private static List<WireName> names(List<String> words) throws IOException {
        List<WireName> names = new ArrayList<>();
        for (String word : words) {
            try {
                names.add(WireName.parse(word));
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        return List.copyOf(names);
    }
}
