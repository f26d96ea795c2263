package dev.cairn.corefile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The lexemes of the main file with imports pasted in where they stand; used by one thread. Sources in use form a stack: a source stays
 * on it until something behind its end is asked for, so that a source which imports itself in its last line is still found there.
 */
final class TokenStream {

    /** One file or snippet that is being read. */
    static final class Source {
        private final String name;
        private final List<Lexeme> lexemes;
        private int next;

        private Source(String name, List<Lexeme> lexemes) {
            this.name = name;
            this.lexemes = lexemes;
        }

        private @Nullable Lexeme ahead(int count) {
            return next + count < lexemes.size() ? lexemes.get(next + count) : null;
        }
    }

    private final Deque<Source> sources = new ArrayDeque<>();

    /** Reads these lexemes before going on with what is being read now. */
    void paste(String name, List<Lexeme> lexemes) {
        sources.push(new Source(name, lexemes));
    }

    @Nullable Lexeme peek() {
        while (!sources.isEmpty()) {
            Lexeme lexeme = sources.element().ahead(0);
            if (lexeme != null) {
                return lexeme;
            }
            sources.pop();
        }
        return null;
    }

    Lexeme next() {
        Lexeme lexeme = peek();
        if (lexeme == null) {
            throw new NoSuchElementException("read behind the end");
        }
        sources.element().next++;
        return lexeme;
    }

    /** The next lexeme if it stands on the line of the last one; lines do not cross sources. */
    @Nullable Lexeme peekOnLine() {
        Lexeme lexeme = sources.isEmpty() ? null : sources.element().ahead(0);
        return lexeme == null || lexeme.startsLine() ? null : lexeme;
    }

    /** Whether the line that comes next opens a block. */
    boolean lineOpensBlock() {
        if (peek() == null) {
            return false;
        }
        for (int count = 1; ; count++) {
            Lexeme lexeme = sources.element().ahead(count);
            if (lexeme == null || lexeme.startsLine()) {
                return false;
            }
            if (lexeme.opens()) {
                return true;
            }
        }
    }

    /** What is being read now; two lexemes come from the same place in the same paste if their sources are the same object. */
    @Nullable Source source() {
        return sources.peek();
    }

    /** Whether reading this source has begun and not ended; the later files of a pattern lie on the stack too, but have not begun. */
    boolean reads(String name) {
        return sources.stream().anyMatch(source -> source.next > 0 && source.name.equals(name));
    }

    /** The lexeme with this text that is still to come and begins a line, if any. */
    @Nullable Lexeme later(String text) {
        for (Source source : sources) {
            for (Lexeme lexeme : source.lexemes.subList(source.next, source.lexemes.size())) {
                if (lexeme.startsLine() && lexeme.text().equals(text)) {
                    return lexeme;
                }
            }
        }
        return null;
    }
}
