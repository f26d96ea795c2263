package dev.cairn.corefile;

/** A word of a Corefile, without its quotes and with its variables replaced; {@code at} is the line where it begins. */
public record Token(String text, Position at) {

    @Override
    public String toString() {
        return text;
    }
}
