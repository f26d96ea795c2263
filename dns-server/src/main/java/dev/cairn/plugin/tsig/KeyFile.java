package dev.cairn.plugin.tsig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/** Keys as {@code named.conf} has them: {@code key "example." { algorithm hmac-sha256; secret "..."; };}. */
final class KeyFile {
    /** A quoted text; or a comment; or a sign; or a word. */
    private static final Pattern TOKEN =
            Pattern.compile("\"([^\"]*)\"|(/\\*(?s:.*?)\\*/|//[^\\n]*|#[^\\n]*)|[{};]|[^\\s{};\"]+");

    private final Path file;
    private final Deque<String> tokens = new ArrayDeque<>();

    private KeyFile(Path file, String text) {
        this.file = file;
        TOKEN.matcher(text).results().filter(token -> token.group(2) == null).forEach(token -> tokens.add(unquoted(token)));
    }

    private static String unquoted(MatchResult token) {
        return token.group(1) == null ? token.group() : token.group(1);
    }

    /** Adds the keys of a file. */
    static void read(Path file, Map<Name, byte[]> to) throws IOException {
        new KeyFile(file, Files.readString(file)).addTo(to);
    }

    private void addTo(Map<Name, byte[]> secrets) throws IOException {
        while (!tokens.isEmpty()) {
            expect("key");
            Name name = name(next());
            expect("{");
            byte[] secret = secret();
            if (";".equals(tokens.peek())) {
                tokens.remove();
            }
            if (secrets.put(name, secret) != null) {
                throw wrong("key \"" + name + "\" is defined twice: remove one");
            }
        }
    }

    /** The secret of a key whose block is open, up to its end. */
    private byte[] secret() throws IOException {
        byte[] secret = null;
        for (String word = next(); !word.equals("}"); word = next()) {
            String value = next();
            expect(";");
            switch (word) {
                case "algorithm" -> { } // the client chooses
                case "secret" -> secret = decode(value);
                default -> throw wrong("unexpected \"" + word + "\": write algorithm or secret");
            }
        }
        if (secret == null) {
            throw wrong("a key has no secret: add a line such as: secret \"BASE64\";");
        }
        return secret;
    }

    private byte[] decode(String text) throws IOException {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw wrong("a secret is not base64: make one with: openssl rand -base64 32");
        }
    }

    /** The name of a key, absolute whether or not its last dot is written. */
    static Name name(String text) throws TextParseException {
        return Name.fromString(text, Name.root);
    }

    private String next() throws IOException {
        String token = tokens.poll();
        if (token == null) {
            throw wrong("ends within a key: write key NAME { secret \"BASE64\"; };");
        }
        return token;
    }

    private void expect(String wanted) throws IOException {
        String found = next();
        if (!found.equals(wanted)) {
            throw wrong("unexpected \"" + found + "\" in place of \"" + wanted + "\": write key NAME { secret \"BASE64\"; };");
        }
    }

    private IOException wrong(String what) {
        return new IOException("plugin/tsig: " + file + ": " + what);
    }
}
