package dev.cairn.cluster.manifest;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * The documents of a YAML or JSON text. A line that begins with {@code ---} always ends a document, whatever stands before it (YAML 1.2
 * section 9.1.2), so the text is cut there first and a document that cannot be parsed spoils no other.
 */
final class YamlDocuments {
    // Marks would be null if switched off; aliases are bounded against documents that blow up when they are expanded.
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setUseMarks(true)
            .setMaxAliasesForCollections(50)
            .setCodePointLimit(Integer.MAX_VALUE)
            .setSchema(new CoreSchema())
            .build();

    /** A document: its value, or where and why it cannot be read. Both are null if there is nothing in it. */
    record Document(@Nullable YamlValue value, @Nullable ManifestException fault) {}

    private YamlDocuments() {}

    /** Tells each document when it has been read: it takes some ten times the memory of its text, which can go before the next one is read. */
    static void parse(String text, Consumer<Document> told) {
        int line = 0;
        int startLine = 0;
        StringBuilder piece = new StringBuilder();
        for (String row : (Iterable<String>) text.lines()::iterator) {
            boolean end = row.equals("...");
            if (end || isStart(row)) {
                told.accept(compose(piece.toString(), startLine));
                piece.setLength(0);
                startLine = end ? line + 1 : line;
            }
            if (!end) {
                piece.append(row).append('\n');
            }
            line++;
        }
        told.accept(compose(piece.toString(), startLine));
    }

    private static boolean isStart(String row) {
        return row.startsWith("---") && (row.length() == 3 || row.charAt(3) == ' ' || row.charAt(3) == '\t');
    }

    private static Document compose(String piece, int lineOffset) {
        if (piece.lines().allMatch(row -> row.isBlank() || row.startsWith("#") || row.startsWith("%") || row.equals("---"))) {
            return new Document(null, null);
        }
        try {
            // A tab can only be white space between the tokens of JSON, where YAML would not have it at the beginning of a line.
            String clean = piece.stripLeading().startsWith("{") ? piece.replace('\t', ' ') : piece;
            Optional<Node> node = new Compose(SETTINGS).composeString(clean);
            return new Document(node.map(root -> new YamlValue(root, "", lineOffset)).orElse(null), null);
        } catch (MarkedYamlEngineException e) {
            // An end that comes too early is told at the line behind the last.
            int line = Math.min(e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1), (int) piece.lines().count());
            return new Document(null, new ManifestException(line + lineOffset, "cannot be read: " + said(e)));
        } catch (YamlEngineException e) {
            return new Document(null, new ManifestException(lineOffset + 1, "cannot be read: " + firstLine(e.getMessage())));
        } catch (StackOverflowError e) {
            return new Document(null, new ManifestException(lineOffset + 1, "cannot be read: nested too deeply"));
        }
    }

    private static String said(MarkedYamlEngineException e) {
        String context = e.getContext();
        return firstLine(context == null || context.isEmpty() ? e.getProblem() : context + ", " + e.getProblem());
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "not YAML" : message.lines().findFirst().orElse("not YAML");
    }
}
