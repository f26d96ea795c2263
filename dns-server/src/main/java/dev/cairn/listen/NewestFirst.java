package dev.cairn.listen;

import java.util.concurrent.LinkedBlockingDeque;

/**
 * The queue of handshakes that wait for a thread. When there are more than can be done, those that came last are served at once and the
 * oldest never, so that clients who have given up, or never meant it, do not keep waiting those who are still there.
 */
final class NewestFirst extends LinkedBlockingDeque<Runnable> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean offer(Runnable task) {
        return offerFirst(task);
    }
}
