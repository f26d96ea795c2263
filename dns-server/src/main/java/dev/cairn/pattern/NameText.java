package dev.cairn.pattern;

import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.nio.charset.StandardCharsets;

/** A name in presentation form with the last dot, as patterns see it. Owned and reused by one thread. */
public final class NameText implements CharSequence {
    private static final ThreadLocal<NameText> SCRATCH = ThreadLocal.withInitial(NameText::new);
    private static final String ESCAPED = ".\\\"();@$";

    /** Room for a name of only escaped bytes. */
    private final byte[] text = new byte[4 * WireName.MAX_LENGTH];

    private int length;

    private NameText() {}

    /** The calling thread's, with the question's name. */
    public static NameText of(QueryView query) {
        NameText scratch = SCRATCH.get();
        scratch.read(query);
        return scratch;
    }

    /** Takes the question's name. */
    public void read(QueryView query) {
        byte[] name = query.name();
        int end = 0;
        for (int label = 0; label < query.labelCount(); label++) {
            int at = query.labelAt(label);
            for (int i = at + 1; i <= at + name[at]; i++) {
                byte b = name[i];
                if (b <= ' ' || b == 0x7f || ESCAPED.indexOf(b) >= 0) {
                    readEscaped(query.nameText());
                    return;
                }
                text[end++] = b;
            }
            text[end++] = '.';
        }
        if (end == 0) {
            text[end++] = '.';
        }
        length = end;
    }

    private void readEscaped(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, text, 0, bytes.length);
        length = bytes.length;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public char charAt(int index) {
        return (char) text[index];
    }

    public boolean startsWith(String prefix) {
        return matchesAt(0, prefix);
    }

    public boolean endsWith(String suffix) {
        return matchesAt(length - suffix.length(), suffix);
    }

    public boolean contains(String part) {
        for (int at = 0; at + part.length() <= length; at++) {
            if (matchesAt(at, part)) {
                return true;
            }
        }
        return false;
    }

    private boolean matchesAt(int at, String part) {
        if (at < 0 || at + part.length() > length) {
            return false;
        }
        for (int i = 0; i < part.length(); i++) {
            if (text[at + i] != part.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }
}
