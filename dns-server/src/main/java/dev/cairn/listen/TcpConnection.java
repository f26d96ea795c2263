package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.ReplySink;
import dev.cairn.plugin.ListenSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection, served on its event loop, which owns all fields (RFC 7766): queries may be pipelined, replies leave in the order they
 * get ready. A client that does not read is not read from; if it goes on so, it is cut off.
 */
final class TcpConnection extends ByteToMessageDecoder implements ReplySink {
    /** What a listener may tell its connections. */
    enum Event {
        /** Answer what has come, then close. */
        FINISH
    }

    private static final int LENGTH_PREFIX = 2;

    /** How many queries of one connection may be with plugins at once. */
    private static final int MAX_PENDING = 256;

    /** How long a connection that may send no more is read on, for the client to see the end and close it. */
    private static final Duration LINGER = Duration.ofSeconds(1);

    /** How often a connection past its time is looked at while plugins still work on its queries. */
    private static final Duration PENDING_CHECK = Duration.ofSeconds(1);

    /** How many connections of a listener may have unread replies piled up at once; bounds what replies can hold of memory. */
    private static final int MAX_SLOW_READERS = 64;

    private final Service service;
    private final ListenSettings settings;
    private final AtomicInteger slowReaders;
    private final BooleanSupplier closing;
    private Exchange exchange = new Exchange();
    private @Nullable ChannelHandlerContext context;
    private byte[] client = new byte[4];
    private byte[] local = new byte[4];
    private int clientPort;
    private int localPort;
    private int served;
    private int pending;
    private boolean slow;
    private boolean partial;
    private boolean lastServed;
    private boolean finished;
    private long deadlineNanos;
    private long timerNanos;
    private @Nullable ScheduledFuture<?> timer;

    TcpConnection(Service service, ListenSettings settings, AtomicInteger slowReaders, BooleanSupplier closing) {
        this.service = service;
        this.settings = settings;
        this.slowReaders = slowReaders;
        this.closing = closing;
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        context = active;
        InetSocketAddress remote = (InetSocketAddress) active.channel().remoteAddress();
        InetSocketAddress own = (InetSocketAddress) active.channel().localAddress();
        client = remote.getAddress().getAddress();
        local = own.getAddress().getAddress();
        clientPort = remote.getPort();
        localPort = own.getPort();
        deadline(active, settings.readTimeout());
    }

    @Override
    protected void decode(ChannelHandlerContext active, ByteBuf in, List<Object> unused) {
        if (lastServed) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (paused()) {
            return;
        }
        int size = in.readableBytes() < LENGTH_PREFIX ? -1 : in.getUnsignedShort(in.readerIndex());
        if (size < 0 || in.readableBytes() < LENGTH_PREFIX + size) {
            if (!partial) {
                partial = true;
                deadline(active, settings.readTimeout());
            }
            return;
        }
        partial = false;
        in.skipBytes(LENGTH_PREFIX);
        in.readBytes(exchange.query().buffer(size), 0, size);
        served++;
        lastServed = served == settings.maxTcpQueries();
        deadline(active, settings.idleTimeout());
        serve(active, size);
    }

    private boolean paused() {
        return slow || pending >= MAX_PENDING;
    }

    private void serve(ChannelHandlerContext active, int size) {
        Dispatcher.Worker worker = Dispatcher.worker();
        exchange.from(Protocol.TCP, client, clientPort, local, localPort, client.length);
        int length = service.dispatcher().handle(exchange, size, service.router(), worker, this);
        if (length == Dispatcher.LATER) {
            exchange = new Exchange();
            pending++;
            if (paused()) {
                active.channel().config().setAutoRead(false);
            }
        } else if (length == Dispatcher.DROP && exchange.answeredBy() == null && exchange.query().length() < 12) {
            active.close(); // not DNS
        } else if (length > 0) {
            active.write(frame(active, worker.out(), length), active.voidPromise());
        }
        finishIfLast(active);
    }

    private static ByteBuf frame(ChannelHandlerContext active, byte[] reply, int length) {
        return active.alloc().directBuffer(LENGTH_PREFIX + length).writeShort(length).writeBytes(reply, 0, length);
    }

    private void finishIfLast(ChannelHandlerContext active) {
        if (lastServed && pending == 0 && !finished) {
            finished = true;
            boolean mayHaveSentMore = served == settings.maxTcpQueries() && !closing.getAsBoolean();
            active.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> {
                if (mayHaveSentMore) {
                    linger(active);
                } else {
                    active.close();
                }
            });
        }
    }

    /** Says that no more replies come and takes in what the client still sends: to close on that would throw away replies on their way. */
    private void linger(ChannelHandlerContext active) {
        ((DuplexChannel) active.channel()).shutdownOutput();
        active.channel().config().setAutoRead(true);
        deadline(active, LINGER);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext active) {
        active.flush();
        if (closing.getAsBoolean() && !partial) {
            lastServed = true;
            finishIfLast(active);
        }
    }

    @Override
    public void send(Exchange done, byte[] reply, int length) {
        ChannelHandlerContext to = context;
        if (to == null) {
            return;
        }
        ByteBuf framed = length > 0 ? frame(to, reply, length) : Unpooled.EMPTY_BUFFER;
        to.executor().execute(() -> {
            pending--;
            if (!slow && !partial) {
                deadline(to, settings.idleTimeout()); // between queries means from the reply on
            }
            to.writeAndFlush(framed, to.voidPromise());
            finishIfLast(to);
            resumeReading(to);
        });
    }

    private void resumeReading(ChannelHandlerContext active) {
        if (!paused() && !active.channel().config().isAutoRead()) {
            active.channel().config().setAutoRead(true);
            // What had been received already is decoded by an empty read; no new bytes need come.
            active.pipeline().fireChannelRead(Unpooled.EMPTY_BUFFER);
            active.pipeline().fireChannelReadComplete();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext active) {
        if (!slow && !active.channel().isWritable()) {
            active.flush(); // replies wait for the end of the batch; only what the socket does not take now is left by the client
        }
        boolean unread = !active.channel().isWritable();
        if (unread == slow) {
            return;
        }
        slow = unread;
        if (slow) {
            active.channel().config().setAutoRead(false);
            deadline(active, settings.writeTimeout());
            if (slowReaders.incrementAndGet() > MAX_SLOW_READERS) {
                active.close();
            }
        } else {
            slowReaders.decrementAndGet();
            deadline(active, partial ? settings.readTimeout() : settings.idleTimeout());
            resumeReading(active);
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext active) {
        if (slow) {
            slow = false;
            slowReaders.decrementAndGet();
        }
        if (timer != null) {
            timer.cancel(false);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext active, Object event) {
        if (event == Event.FINISH && !partial) {
            lastServed = true;
            finishIfLast(active);
        }
    }

    /** Moves the end of the connection's time. Later costs nothing, as the timer finds it; only earlier needs another timer. */
    private void deadline(ChannelHandlerContext active, Duration fromNow) {
        deadlineNanos = System.nanoTime() + fromNow.toNanos();
        if (timer == null || deadlineNanos - timerNanos < 0) {
            watchUntil(active, deadlineNanos);
        }
    }

    private void watchUntil(ChannelHandlerContext active, long nanos) {
        if (timer != null) {
            timer.cancel(false);
        }
        timerNanos = nanos;
        timer = active.executor().schedule(() -> check(active), nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void check(ChannelHandlerContext active) {
        long now = System.nanoTime();
        if (deadlineNanos - now > 0) {
            watchUntil(active, deadlineNanos);
        } else if (pending > 0) {
            watchUntil(active, now + PENDING_CHECK.toNanos());
        } else {
            active.close();
        }
    }

    /** Resets and broken pipes are the client's way to leave. */
    @Override
    public void exceptionCaught(ChannelHandlerContext active, Throwable cause) {
        active.close();
        if (!(cause instanceof IOException)) {
            active.fireExceptionCaught(cause);
        }
    }
}
