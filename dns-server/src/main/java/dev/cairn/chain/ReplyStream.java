package dev.cairn.chain;

import dev.cairn.wire.Answer;

/**
 * The messages of a reply after the first, as zone transfers have them. Each is asked for when the client has room for it, by one thread at
 * a time, which must not be kept waiting.
 */
public interface ReplyStream {
    /** Puts the records of the next message into the answer, which has none; false if there are no more messages. */
    boolean next(Answer answer);
}
