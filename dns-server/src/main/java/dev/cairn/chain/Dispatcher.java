package dev.cairn.chain;

import dev.cairn.wire.AnswerEncoder;
import dev.cairn.wire.Bytes;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.EdnsOption;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Verdict;
import java.util.function.Consumer;
import java.util.function.Function;

/** Turns received packets into replies. Shared by all threads; what a thread needs for itself it keeps in a {@link Worker}. */
public final class Dispatcher implements AutoCloseable {
    /** No reply is sent. */
    public static final int DROP = 0;

    /** The reply is sent by the {@link ReplySink}; the exchange is no longer the listener's. */
    public static final int LATER = -1;

    /** A message could not be made; the client can only be told by closing the connection. */
    public static final int BROKEN = -2;

    /** More than this is never sent over UDP, whatever the client says it takes. */
    public static final int MAX_UDP_SIZE = 4096;

    public static final int MAX_TCP_SIZE = 0xffff;

    /** The size that encrypted replies are padded to a multiple of (RFC 8467 section 4.1). */
    private static final int PADDED_TO = 468;

    private static final ThreadLocal<Worker> WORKER = ThreadLocal.withInitial(Worker::new);

    private final PanicListener panics;
    private final Deadlines deadlines = new Deadlines(this::expire);

    public Dispatcher(PanicListener panics) {
        this.panics = panics;
    }

    /** What one thread uses again for each reply. */
    public static final class Worker {
        private final AnswerEncoder encoder = new AnswerEncoder();
        private final byte[] out = new byte[MAX_TCP_SIZE];

        private Worker() {}

        /** Holds the last reply. */
        public byte[] out() {
            return out;
        }
    }

    /** The calling thread's worker. */
    public static Worker worker() {
        return WORKER.get();
    }

    /**
     * Handles the packet of {@code size} bytes in the exchange's query buffer. Returns the length of the reply in {@link Worker#out},
     * {@link #DROP}, or {@link #LATER}.
     */
    public int handle(Exchange exchange, int size, Router router, Worker worker, ReplySink sink) {
        Verdict verdict = exchange.query().read(size);
        exchange.begin(this, sink, router, System.nanoTime());
        return switch (verdict) {
            case ANSWER -> route(exchange, router, worker);
            case DROP -> DROP;
            case FORMAT_ERROR -> reject(exchange, Rcode.FORMERR, worker);
            case NOT_IMPLEMENTED -> reject(exchange, Rcode.NOTIMP, worker);
            case BAD_VERSION -> reject(exchange, Rcode.BADVERS, worker);
        };
    }

    private int route(Exchange exchange, Router router, Worker worker) {
        Route route = router.route(exchange);
        if (route == null || (exchange.query().dnsClass() != DnsClass.IN && !route.chain().answersClass(exchange.query().dnsClass()))) {
            return reject(exchange, Rcode.REFUSED, worker);
        }
        exchange.route(route);
        Step step = run(exchange, Step.NEXT);
        if (step != Step.LATER) {
            return finish(exchange, step, worker);
        }
        router.keep();
        // Another thread may have the exchange by now, or even be done with it; the deadline does not change any more.
        if (exchange.hasDeadline()) {
            deadlines.watch(exchange);
        }
        return LATER;
    }

    private int reject(Exchange exchange, int rcode, Worker worker) {
        exchange.answer().rcode(rcode);
        return finish(exchange, Step.ANSWERED, worker);
    }

    private Step run(Exchange exchange, Step arrived) {
        try {
            return exchange.route().chain().run(exchange, arrived);
        } catch (RuntimeException e) {
            // A defect in one plugin must not take the server down: the client gets an answer, the operator a counter and a log line.
            panics.panicked(exchange, e);
            exchange.query().restore();
            exchange.answer().reset(exchange.query());
            exchange.stream(null);
            exchange.answeredBy(null);
            return exchange.refuse(Rcode.SERVFAIL);
        }
    }

    private int finish(Exchange exchange, Step step, Worker worker) {
        int length = DROP;
        try {
            exchange.query().restore();
            if (step == Step.ANSWERED) {
                length = encode(exchange, worker);
            }
            exchange.end(length, length == DROP ? 0 : Bytes.u16(worker.out, 2), System.nanoTime());
            exchange.route().chain().finished(exchange);
        } catch (RuntimeException e) {
            // A reply that is made is sent, whatever those think who were to look at it; the listener's thread must live.
            panics.panicked(exchange, e);
        }
        return length;
    }

    private static int encode(Exchange exchange, Worker worker) {
        int limit = exchange.protocol() == Protocol.UDP ? Math.min(exchange.query().udpSize(), MAX_UDP_SIZE) : MAX_TCP_SIZE;
        ReplySeal seal = exchange.seal();
        if (seal == null) {
            int length = worker.encoder.encode(exchange.query(), exchange.answer(), worker.out, limit);
            boolean padded = exchange.isEncrypted() && exchange.query().option(EdnsOption.PADDING) >= 0; // RFC 7830 section 4
            return padded ? worker.encoder.pad(worker.out, length, PADDED_TO, limit) : length;
        }
        return seal.seal(worker.out, worker.encoder.encode(exchange.query(), exchange.answer(), worker.out, limit - seal.room()));
    }

    /**
     * Makes the next message of an exchange whose reply has more than one. Returns its length in {@link Worker#out}, {@link #DROP} if there
     * are no more, or {@link #BROKEN}.
     */
    public int next(Exchange exchange, Worker worker) {
        ReplyStream stream = exchange.stream();
        try {
            exchange.answer().clear();
            return stream != null && stream.next(exchange.answer()) ? encode(exchange, worker) : DROP;
        } catch (RuntimeException e) {
            panics.panicked(exchange, e);
            return BROKEN;
        }
    }

    /** Runs a question of the server's own; {@code later} is called if the answer is not there at once, {@code now} if it is. */
    Step ask(Exchange inner, Router router, Consumer<Exchange> later, Consumer<Exchange> now) {
        inner.whenAnswered(later);
        Route route = router.route(inner);
        Step step = Step.ANSWERED;
        if (route == null) {
            inner.answer().rcode(Rcode.REFUSED);
        } else {
            inner.route(route);
            step = run(inner, Step.NEXT);
        }
        if (step == Step.LATER) {
            return Step.LATER;
        }
        now.accept(inner);
        return Step.ANSWERED;
    }

    /** Runs a question of the server's own from its place in the chain; returns whether {@code then} was told at once. */
    boolean askBelow(Exchange inner, Consumer<Exchange> then) {
        inner.whenAnswered(then);
        Step step = run(inner, Step.NEXT);
        if (step == Step.LATER) {
            return false;
        }
        inner.dropped(step == Step.DROPPED);
        then.accept(inner);
        return true;
    }

    /** The same for one whose asker goes on as {@code now} says; {@code later} is called in its place if the answer is not there at once. */
    Step askBelow(Exchange inner, Consumer<Exchange> later, Function<Exchange, Step> now) {
        inner.whenAnswered(later);
        Step step = run(inner, Step.NEXT);
        if (step == Step.LATER) {
            return Step.LATER;
        }
        inner.dropped(step == Step.DROPPED);
        return now.apply(inner);
    }

    void resume(Exchange exchange, Step arrived) {
        Step step = run(exchange, arrived);
        if (step != Step.LATER && exchange.claim()) {
            Consumer<Exchange> asker = exchange.whenAnswered();
            exchange.dropped(step == Step.DROPPED);
            if (asker == null) {
                reply(exchange, step);
            } else {
                asker.accept(exchange);
            }
        }
    }

    /** The client has waited long enough. The plugin that keeps the exchange is left alone with it; the reply is made from a copy. */
    private void expire(Exchange kept) {
        if (kept.claim()) {
            Exchange late = kept.again();
            reply(late, late.fail(Rcode.SERVFAIL, "no answer came before the deadline"));
        }
    }

    private void reply(Exchange exchange, Step step) {
        Worker worker = worker();
        try {
            exchange.send(worker.out, finish(exchange, step, worker));
        } finally {
            exchange.release();
        }
    }

    /** Ends the thread that watches deadlines; for when no more queries come. */
    @Override
    public void close() {
        deadlines.close();
    }
}
