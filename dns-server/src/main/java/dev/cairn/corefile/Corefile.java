package dev.cairn.corefile;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A parsed configuration. The digest is the SHA-512 over its words in hexadecimal: it changes with any word, also an imported one,
 * and not with comments, spacing or line numbers.
 */
public record Corefile(List<ServerBlock> blocks, String digest) {

    public Corefile {
        blocks = List.copyOf(blocks);
    }

    /** Errors are part of the digest, so that breaking a file is seen as a change even where recovery yields the same blocks. */
    static Corefile of(List<ServerBlock> blocks, Problems found) {
        MessageDigest sha;
        try {
            sha = MessageDigest.getInstance("SHA-512");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-512", e);
        }
        for (ServerBlock block : blocks) {
            addTokens(sha, block.keys());
            addLines(sha, block.directives());
        }
        for (Problem problem : found.all()) {
            if (problem.severity() == Problem.Severity.ERROR) {
                addText(sha, problem.message());
            }
        }
        return new Corefile(blocks, HexFormat.of().formatHex(sha.digest()));
    }

    private static void addLines(MessageDigest sha, List<Directive> lines) {
        addCount(sha, lines.size());
        for (Directive line : lines) {
            addText(sha, line.name().text());
            addTokens(sha, line.args());
            sha.update((byte) (line.hasBlock() ? 1 : 0));
            addLines(sha, line.block());
        }
    }

    private static void addTokens(MessageDigest sha, List<Token> tokens) {
        addCount(sha, tokens.size());
        tokens.forEach(token -> addText(sha, token.text()));
    }

    private static void addText(MessageDigest sha, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        addCount(sha, bytes.length);
        sha.update(bytes);
    }

    /** Counts go before what they count, so that no two different files feed the same bytes. */
    private static void addCount(MessageDigest sha, int count) {
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, count));
    }
}
