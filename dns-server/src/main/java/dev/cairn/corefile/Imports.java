package dev.cairn.corefile;

import dev.cairn.log.NearestWord;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knows the snippets and pastes what {@code import} lines name into the token stream; used by one thread. */
final class Imports {

    private static final int MOST_SNIPPETS = 10_000;
    private static final int MOST_FILES = 100_000;

    private record Snippet(Position at, List<Lexeme> body) {
    }

    private final TokenStream tokens;
    private final Variables variables;
    private final Problems problems;
    private final Map<String, Snippet> snippets = new HashMap<>();
    private int snippetPastes;
    private int filePastes;
    private boolean full;

    Imports(TokenStream tokens, Variables variables, Problems problems) {
        this.tokens = tokens;
        this.variables = variables;
        this.problems = problems;
    }

    void define(Token key, String name, List<Lexeme> body) {
        Snippet earlier = snippets.get(name);
        if (name.isEmpty()) {
            problems.error(key.at(), "the snippet has no name: write: (NAME) {");
        } else if (earlier != null) {
            problems.error(key.at(), "snippet (" + name + ") is already defined at " + earlier.at() + ": choose another name");
        } else {
            List<Lexeme> pasted = new ArrayList<>(body);
            if (!body.isEmpty()) {
                pasted.set(0, body.getFirst().startingLine());
            }
            reportSelfImport(name, pasted);
            snippets.put(name, new Snippet(key.at(), pasted));
        }
    }

    private void reportSelfImport(String name, List<Lexeme> body) {
        for (int i = 0; i + 1 < body.size(); i++) {
            Token named = body.get(i + 1).token();
            if (body.get(i).imports() && body.get(i).startsLine() && variables.expand(named).text().equals(name)) {
                cycle(named.at(), "snippet (" + name + ")");
            }
        }
    }

    private void cycle(Position at, String what) {
        problems.error(at, "import cycle: " + what + " imports itself, perhaps by way of others: remove this import");
    }

    /** Pastes what the argument names: a snippet, else the files that match. */
    void paste(Token argument) {
        Token pattern = variables.expand(argument);
        String name = pattern.text();
        if (name.isEmpty()) {
            problems.error(pattern.at(), "import of nothing: write: import SNIPPET or import FILE, and see that its variables are set");
            return;
        }
        Snippet snippet = snippets.get(name);
        if (snippet == null) {
            pasteFiles(pattern);
        } else if (tokens.reads("(" + name + ")")) {
            cycle(pattern.at(), "snippet (" + name + ")");
        } else if (roomFor(++snippetPastes, MOST_SNIPPETS, "snippets", pattern)) {
            tokens.paste("(" + name + ")", snippet.body());
        }
    }

    private boolean roomFor(int count, int most, String what, Token pattern) {
        if (count > most && !full) {
            full = true;
            problems.error(pattern.at(), "more than " + most + " imports of " + what + ": simplify how they import each other");
        }
        return !full;
    }

    private void pasteFiles(Token pattern) {
        if (!roomFor(++filePastes, MOST_FILES, "files", pattern) || tooManyWildcards(pattern)) {
            return;
        }
        Path path;
        try {
            path = Path.of(pattern.at().file()).toAbsolutePath().resolveSibling(pattern.text()).normalize();
        } catch (InvalidPathException e) {
            problems.error(pattern.at(), "cannot import \"" + pattern.text() + "\": not a file name (" + e.getReason()
                + "); correct the path");
            return;
        }
        List<Path> files = Glob.matches(path);
        if (files.isEmpty()) {
            reportNothingFound(pattern, path);
        }
        List<List<Lexeme>> read = new ArrayList<>();
        for (Path file : files) {
            read.add(lexemes(file, pattern));
        }
        for (int i = files.size() - 1; i >= 0; i--) { // the last file first: pastes pile up
            tokens.paste(files.get(i).toString(), read.get(i));
        }
    }

    private List<Lexeme> lexemes(Path file, Token pattern) {
        if (tokens.reads(file.toString())) {
            cycle(pattern.at(), "file " + file);
            return List.of();
        }
        problems.reading(file.toString());
        String text = SourceText.read(file, pattern.at(), problems);
        return text == null ? List.of() : Lexer.lex(file.toString(), text, problems);
    }

    private boolean tooManyWildcards(Token pattern) {
        String text = pattern.text();
        if (text.indexOf('[') >= 0) {
            problems.error(pattern.at(), "import pattern \"" + text + "\" has a [: only one * and one ? are allowed");
            return true;
        }
        if (text.indexOf('*') != text.lastIndexOf('*') || text.indexOf('?') != text.lastIndexOf('?')) {
            problems.error(pattern.at(), "import pattern \"" + text + "\" has too many wildcards: only one * and one ? are allowed");
            return true;
        }
        return false;
    }

    private void reportNothingFound(Token pattern, Path path) {
        String text = pattern.text();
        if (Glob.isPattern(text)) {
            problems.warning(pattern.at(), "no files match import pattern " + text);
            return;
        }
        Lexeme later = tokens.later("(" + text + ")");
        if (later != null) {
            problems.error(pattern.at(), "snippet (" + text + ") is defined only at " + later.token().at() + ": move it above this line");
            return;
        }
        problems.error(pattern.at(), "cannot import \"" + text + "\": there is neither a snippet (" + text + ") above this line nor a file "
            + path + "; " + advice(NearestWord.of(text, snippets.keySet())));
    }

    private static String advice(@Nullable String nearest) {
        return nearest == null ? "define the snippet or correct the path" : "did you mean: import " + nearest;
    }
}
