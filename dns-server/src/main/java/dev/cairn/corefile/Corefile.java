package dev.cairn.corefile;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A parsed configuration, and the words it was parsed from. */
public record Corefile(List<ServerBlock> blocks, Words words) {

    public Corefile {
        blocks = List.copyOf(blocks);
    }

    /** Errors are among the words, so that breaking a file is seen as a change even where recovery yields the same blocks. */
    static Corefile of(List<ServerBlock> blocks, Problems found) {
        Words words = new Words();
        for (ServerBlock block : blocks) {
            words.addTokens(block.keys());
            words.addLines(block.directives());
        }
        for (Problem problem : found.all()) {
            if (problem.severity() == Problem.Severity.ERROR) {
                words.addText(problem.message());
            }
        }
        return new Corefile(blocks, words);
    }

    /**
     * The SHA-512 over the words in hexadecimal: it changes with any word, also an imported one, and not with comments, spacing or line numbers.
     * Reckoned when asked for, since the JDK takes 20 ms at the start to find out how.
     */
    public String digest() {
        return words.digest();
    }

    /** All that means something in a configuration, in its order. */
    public static final class Words {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        private Words() {}

        private void addLines(List<Directive> lines) {
            addCount(lines.size());
            for (Directive line : lines) {
                addText(line.name().text());
                addTokens(line.args());
                bytes.write(line.hasBlock() ? 1 : 0);
                addLines(line.block());
            }
        }

        private void addTokens(List<Token> tokens) {
            addCount(tokens.size());
            tokens.forEach(token -> addText(token.text()));
        }

        private void addText(String text) {
            byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
            addCount(encoded.length);
            bytes.writeBytes(encoded);
        }

        /** Counts go before what they count, so that no two different files have the same bytes. */
        private void addCount(int count) {
            bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(0, count).array());
        }

        private String digest() {
            try {
                return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(bytes.toByteArray()));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has SHA-512", e);
            }
        }
    }
}
