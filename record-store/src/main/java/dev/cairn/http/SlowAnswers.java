package dev.cairn.http;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has a responder asked that takes its time, by a thread that is there while there are requests and a moment longer. Requests are answered
 * one after the other: whoever asks a slow one twice has to wait twice. Any thread may ask.
 */
final class SlowAnswers implements Runnable {
    /** Scrapers come several at a time, and then none for a while. */
    private static final long LINGER_SECONDS = 5;

    private final String name;
    private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private boolean running; // guarded by this

    SlowAnswers(String name) {
        this.name = name;
    }

    synchronized void ask(Runnable task) {
        if (!running) {
            Thread.ofPlatform().daemon().name(name).start(this);
            running = true;
        }
        waiting.add(task);
    }

    @Override
    public void run() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                Complaints.defect("defect while answering HTTP", e);
            }
        }
    }

    private @Nullable Runnable next() {
        try {
            Runnable soon = waiting.poll(LINGER_SECONDS, TimeUnit.SECONDS);
            if (soon != null) {
                return soon;
            }
        } catch (InterruptedException e) {
            // Nobody has a reason to; what waits is answered all the same.
        }
        return last();
    }

    private synchronized @Nullable Runnable last() {
        Runnable late = waiting.poll();
        running = late != null;
        return late;
    }
}
