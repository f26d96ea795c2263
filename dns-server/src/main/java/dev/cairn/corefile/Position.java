package dev.cairn.corefile;

/** A line of a configuration file; lines count from 1. */
public record Position(String file, int line) {

    public Position {
        if (line < 1) {
            throw new IllegalArgumentException("lines count from 1, not " + line);
        }
    }

    @Override
    public String toString() {
        return file + ":" + line;
    }
}
