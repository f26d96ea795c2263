package dev.cairn.corefile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a configuration file, or says in one message why it cannot be read. */
final class SourceText {

    /** Far beyond any Corefile; keeps a device or a log file that was named by mistake from filling the memory. */
    private static final int LARGEST = 16 << 20;

    private SourceText() {
    }

    /** The text, or null when a problem was reported. */
    static @Nullable String read(Path file, Position at, Problems problems) {
        if (Files.isDirectory(file)) {
            problems.error(at, "cannot read " + file + ": it is a directory; name a file, or a pattern such as " + file.resolve("*.conf"));
            return null;
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LARGEST + 1);
        } catch (IOException e) {
            problems.error(at, "cannot read " + file + ": " + reason(e));
            return null;
        }
        if (bytes.length > LARGEST) {
            problems.error(at, "cannot read " + file + ": it is larger than 16 MiB; name a configuration file");
            return null;
        }
        return decode(file, bytes, problems);
    }

    private static @Nullable String decode(Path file, byte[] bytes, Problems problems) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        boolean bad = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT).decode(in, out, true).isError();
        out.flip();
        if (!bad) {
            return out.toString();
        }
        int line = 1 + (int) out.chars().filter(c -> c == '\n').count();
        problems.error(new Position(file.toString(), line), "not UTF-8 text: save the file in UTF-8");
        return null;
    }

    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such file; correct the path";
            case AccessDeniedException _ -> "permission denied; make it readable for this user";
            default -> e.getMessage() + "; check the path and the file";
        };
    }
}
