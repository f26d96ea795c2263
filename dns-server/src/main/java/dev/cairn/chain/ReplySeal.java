package dev.cairn.chain;

/** Ends the messages of a reply with something made from their bytes, such as a TSIG record. Used by one thread at a time. */
public interface ReplySeal {
    /** How many bytes it adds at most; no message is made so long that they would not fit. */
    int room();

    /** Seals the message in the first {@code length} bytes; returns its new length. */
    int seal(byte[] message, int length);
}
