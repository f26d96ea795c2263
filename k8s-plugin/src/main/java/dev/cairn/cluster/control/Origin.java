package dev.cairn.cluster.control;

/**
 * Where an object was written.
 *
 * @param line the line on which it begins, from 1; 0 for the file as a whole
 */
public record Origin(String file, int line) {
    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line;
    }
}
