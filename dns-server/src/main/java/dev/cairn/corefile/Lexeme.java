package dev.cairn.corefile;

/**
 * A token as the lexer sees it. Whether it begins a line is kept here and not worked out from line numbers, because pasted tokens
 * bring their own lines along. The column serves to guess which brace is missing.
 */
record Lexeme(Token token, boolean startsLine, boolean quoted, int column) {

    String text() {
        return token.text();
    }

    boolean opens() {
        return text().equals("{");
    }

    boolean closes() {
        return text().equals("}");
    }

    boolean imports() {
        return text().equals("import");
    }

    Lexeme startingLine() {
        return startsLine ? this : new Lexeme(token, true, quoted, column);
    }
}
