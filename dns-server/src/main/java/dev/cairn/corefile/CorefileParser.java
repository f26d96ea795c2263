package dev.cairn.corefile;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Groups the words of a Corefile into server blocks and directives. A parser is used by one thread for one file.
 *
 * <p>It is a little more generous than CoreDNS, which refuses some blocks written on one line, and it never gives up: after a mistake
 * it goes on with the next line or block, and it guesses from names and indentation where a missing brace belongs.
 */
public final class CorefileParser {

    /** No directive nests deeper than three; the limit keeps nonsense from exhausting the stack. */
    private static final int DEEPEST = 64;

    /**
     * A block that is being read. The columns are those of the line that opened it and of the keys of its server block.
     *
     * @param braced whether it ends at a closing brace or at the end of the file
     */
    private record Scope(Token opener, int depth, int column, int serverColumn, boolean braced, TokenStream.@Nullable Source source) {

        String name() {
            return "\"" + opener.text() + "\"";
        }
    }

    private final TokenStream tokens = new TokenStream();
    private final Problems problems;
    private final Variables variables;
    private final Imports imports;
    private final List<ServerBlock> blocks = new ArrayList<>();
    /** Says which block of the server block lost its closing brace to another, judged by indentation. */
    private @Nullable String suspicion;

    private CorefileParser(UnaryOperator<@Nullable String> environment, Problems problems) {
        this.problems = problems;
        this.variables = new Variables(environment, problems);
        this.imports = new Imports(tokens, variables, problems);
    }

    /**
     * Parses a text. Never fails: what is wrong goes to {@code problems}, and what could be understood is returned.
     *
     * @param fileName how messages call the text; relative imports start from the directory of this file
     * @param environment the value of a variable by its name, or null when it is not set
     */
    public static Corefile parse(String fileName, String text, UnaryOperator<@Nullable String> environment, Problems problems) {
        Problems found = new Problems();
        found.reading(fileName);
        CorefileParser parser = new CorefileParser(environment, found);
        parser.tokens.paste(absolute(fileName), Lexer.lex(fileName, text, found));
        parser.file();
        problems.addAll(found);
        return Corefile.of(parser.blocks, found);
    }

    /** Parses a file with the variables of this process. */
    public static Corefile parseFile(Path file, Problems problems) {
        String text = SourceText.read(file, new Position(file.toString(), 1), problems);
        if (text == null) {
            return Corefile.of(List.of(), problems);
        }
        return parse(file.toString(), text, name -> name == null ? null : System.getenv(name), problems);
    }

    private static String absolute(String fileName) {
        try {
            return Path.of(fileName).toAbsolutePath().normalize().toString();
        } catch (InvalidPathException e) {
            return fileName; // a name for messages only
        }
    }

    private void file() {
        for (Lexeme next = tokens.peek(); next != null; next = tokens.peek()) {
            if (next.closes()) {
                tokens.next();
                error(next, "unexpected }: no block is open here; remove it, or add the { it belongs to");
            } else if (next.imports()) {
                importLine();
            } else {
                definition(next);
            }
        }
    }

    /** A server block or a snippet. */
    private void definition(Lexeme first) {
        suspicion = null;
        List<Token> keys = keys();
        Lexeme next = tokens.peek();
        boolean braced = next != null && next.opens();
        if (braced) {
            tokens.next();
        }
        Token opener = keys.isEmpty() ? first.token() : keys.getFirst();
        Scope scope = new Scope(opener, 1, first.column(), first.column(), braced, tokens.source());
        if (keys.size() == 1 && isSnippet(keys.getFirst().text())) {
            snippet(scope);
            return;
        }
        if (first.opens()) {
            error(first, "a server block needs a zone before its {: write: . {");
        } else if (keys.isEmpty()) {
            problems.warning(first.token().at(), "server block is left out because its zone is empty: "
                + "set the variable in \"" + first.text() + "\"");
        }
        List<Directive> directives = lines(scope);
        if (!keys.isEmpty()) {
            blocks.add(new ServerBlock(keys, directives));
        }
    }

    private static boolean isSnippet(String key) {
        return key.length() > 1 && key.startsWith("(") && key.endsWith(")");
    }

    /** Reads keys up to the opening brace, or up to the end of the line if that does not end with a comma. */
    private List<Token> keys() {
        List<Token> keys = new ArrayList<>();
        Lexeme last = null;
        boolean more = true;
        for (Lexeme next = tokens.peek(); next != null && !next.opens() && !next.closes(); next = tokens.peek()) {
            if (!more && next.startsLine()) {
                return keys;
            }
            if (next.imports() && next.startsLine()) {
                importLine();
                continue;
            }
            last = tokens.next();
            Token key = variables.expand(last.token());
            addKeys(key, keys);
            more = key.text().endsWith(",");
        }
        if (more && last != null) {
            error(last, "another zone must follow the comma after \"" + last.text() + "\": remove the comma or add the zone");
        }
        return keys;
    }

    private void addKeys(Token key, List<Token> keys) {
        String text = key.text();
        for (int from = 0; from < text.length(); ) {
            int comma = text.indexOf(',', from);
            int to = comma < 0 ? text.length() : comma;
            if (to > from) {
                keys.add(new Token(text.substring(from, to), key.at()));
            }
            if (comma >= 0 && comma < text.length() - 1) {
                problems.warning(key.at(), "no space after the comma in \"" + text + "\", which CoreDNS takes for one zone: write: "
                    + text.replace(",", ", ").strip());
            }
            from = to + 1;
        }
    }

    private void snippet(Scope scope) {
        Token key = scope.opener();
        if (!scope.braced()) {
            problems.error(key.at(), "snippet " + key.text() + " needs a block: write: " + key.text() + " {");
            lines(scope);
            return;
        }
        List<Lexeme> body = new ArrayList<>();
        int open = 1;
        for (Lexeme next = tokens.peek(); next != null; next = tokens.peek()) {
            tokens.next();
            open += next.opens() ? 1 : next.closes() ? -1 : 0;
            if (open == 0) {
                imports.define(key, key.text().substring(1, key.text().length() - 1), body);
                return;
            }
            body.add(next);
        }
        unclosed(scope);
    }

    /** The lines of a block, up to and including its closing brace. */
    private List<Directive> lines(Scope scope) {
        List<Directive> lines = new ArrayList<>();
        for (Lexeme next = tokens.peek(); next != null; next = tokens.peek()) {
            if (next.closes()) {
                tokens.next();
                closed(scope, next);
                return lines;
            }
            if (next.opens()) {
                error(next, "unexpected {: a block belongs at the end of a directive's line; write: NAME {");
                skipBlock();
            } else if (next.imports()) {
                importLine();
            } else if (looksLikeServerBlock(next, scope)) {
                if (endsBefore(next, scope)) {
                    return lines;
                }
                line(scope);
            } else {
                lines.add(line(scope));
            }
        }
        if (scope.braced()) {
            unclosed(scope);
        }
        return lines;
    }

    /** No directive has such a name; deeper down, where hosts are lines too, it must also stand as far left as the server block. */
    private boolean looksLikeServerBlock(Lexeme first, Scope scope) {
        String text = first.text();
        boolean key = text.indexOf('.') >= 0 || text.indexOf(':') >= 0 || isSnippet(text);
        return key && (scope.depth() == 1 || leftOf(first, scope)) && tokens.lineOpensBlock();
    }

    private boolean leftOf(Lexeme first, Scope scope) {
        return first.column() <= scope.serverColumn() && tokens.source() == scope.source();
    }

    /** Whether a server block inside this one shows that this one lacks its end. Else it is merely in the wrong place. */
    private boolean endsBefore(Lexeme first, Scope scope) {
        Position opened = scope.opener().at();
        if (!scope.braced() && tokens.source() == scope.source()) {
            problems.error(opened, scope.name() + " has no { }, so it reaches to the end of the file, but \"" + first.text()
                + "\" begins at " + first.token().at() + ": write: " + scope.opener().text()
                + " { ... }, or end the line with a comma to add more zones");
            return true;
        }
        if (scope.braced() && leftOf(first, scope)) {
            error(first, "missing } before \"" + first.text() + "\": close the block of " + scope.name() + " opened at " + opened
                + takeSuspicion());
            return true;
        }
        error(first, "server block or snippet \"" + first.text() + "\" stands inside the block of " + scope.name() + " opened at " + opened
            + ": move it out" + (tokens.source() == scope.source() ? "" : ", by an import outside of the block"));
        return false;
    }

    private void closed(Scope scope, Lexeme brace) {
        if (!scope.braced()) {
            if (!isSnippet(scope.opener().text())) {
                error(brace, "unexpected }: the block of " + scope.name() + " has no {; write at " + scope.opener().at() + ": "
                    + scope.opener().text() + " {");
            }
        } else if (suspicion == null && brace.startsLine() && brace.column() < scope.column() && tokens.source() == scope.source()) {
            suspicion = "; perhaps it is the block of " + scope.name() + " opened at " + scope.opener().at()
                + " that lacks its }, because the } on line " + brace.token().at().line() + " ended it";
        }
    }

    private void unclosed(Scope scope) {
        problems.error(scope.opener().at(), "the block of " + scope.name() + " opened here is not closed: add a } on a line of its own"
            + takeSuspicion());
    }

    private String takeSuspicion() {
        String taken = suspicion == null ? "" : suspicion;
        suspicion = null;
        return taken;
    }

    private Directive line(Scope scope) {
        Lexeme first = tokens.next();
        Token name = variables.expand(first.token());
        if (name.text().isEmpty() && scope.depth() == 1) {
            error(first, "the directive's name is empty: set the variable in \"" + first.text() + "\" or remove the line");
        }
        List<Token> args = new ArrayList<>();
        restOfLine().forEach(token -> args.add(variables.expand(token)));
        if (!opensBlock(name)) {
            return new Directive(name, args, List.of(), false);
        }
        List<Directive> block = List.of();
        if (scope.depth() == DEEPEST) {
            error(first, "blocks are nested more than " + DEEPEST + " deep: close some of them");
            skipOpenBlock();
        } else {
            block = lines(new Scope(name, scope.depth() + 1, first.column(), scope.serverColumn(), true, tokens.source()));
        }
        Lexeme behind = tokens.peekOnLine();
        if (behind != null && !behind.closes()) {
            error(behind, "unexpected \"" + behind.text() + "\" after }: write it on a line of its own");
        }
        return new Directive(name, args, block, true);
    }

    /** Takes the brace that opens the block of a line, also when it stands wrongly on the next line. */
    private boolean opensBlock(Token name) {
        Lexeme brace = tokens.peekOnLine();
        if (brace == null) {
            brace = tokens.peek();
            if (brace != null && brace.opens()) {
                error(brace, "the { must stand at the end of the line of its directive, at " + name.at() + ": write: " + name.text()
                    + " ... {");
            }
        }
        if (brace == null || !brace.opens()) {
            return false;
        }
        tokens.next();
        return true;
    }

    private List<Token> restOfLine() {
        List<Token> rest = new ArrayList<>();
        for (Lexeme next = tokens.peekOnLine(); next != null && !next.opens() && !next.closes(); next = tokens.peekOnLine()) {
            rest.add(tokens.next().token());
        }
        return rest;
    }

    private void importLine() {
        Lexeme word = tokens.next();
        List<Token> args = restOfLine();
        Lexeme behind = tokens.peekOnLine();
        if (behind != null && behind.opens()) {
            error(word, "import takes no block: write: import SNIPPET or import FILE");
            skipBlock();
        } else if (args.size() != 1) {
            error(word, "import wants 1 argument, got " + args.size() + ": write: import SNIPPET or import FILE, each on its own line");
        } else {
            imports.paste(args.getFirst());
        }
    }

    private void skipBlock() {
        tokens.next();
        skipOpenBlock();
    }

    private void skipOpenBlock() {
        int open = 1;
        while (open > 0 && tokens.peek() != null) {
            Lexeme next = tokens.next();
            open += next.opens() ? 1 : next.closes() ? -1 : 0;
        }
    }

    private void error(Lexeme at, String message) {
        problems.error(at.token().at(), message);
    }
}
