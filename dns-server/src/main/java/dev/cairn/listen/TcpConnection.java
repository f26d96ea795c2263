package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.ReplySink;
import dev.cairn.plugin.ListenSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
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
    private long deadlineNanos;

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
        deadline(settings.readTimeout());
        watch(settings.readTimeout().toNanos());
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
                deadline(settings.readTimeout());
            }
            return;
        }
        partial = false;
        in.skipBytes(LENGTH_PREFIX);
        in.readBytes(exchange.query().buffer(size), 0, size);
        served++;
        lastServed = served == settings.maxTcpQueries();
        deadline(settings.idleTimeout());
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
        if (lastServed && pending == 0) {
            active.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
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
        boolean unread = !active.channel().isWritable();
        if (unread == slow) {
            return;
        }
        slow = unread;
        if (slow) {
            active.channel().config().setAutoRead(false);
            deadline(settings.writeTimeout());
            if (slowReaders.incrementAndGet() > MAX_SLOW_READERS) {
                active.close();
            }
        } else {
            slowReaders.decrementAndGet();
            deadline(settings.idleTimeout());
            resumeReading(active);
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext active) {
        if (slow) {
            slow = false;
            slowReaders.decrementAndGet();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext active, Object event) {
        if (event == Event.FINISH && !partial) {
            lastServed = true;
            finishIfLast(active);
        }
    }

    private void deadline(Duration fromNow) {
        deadlineNanos = System.nanoTime() + fromNow.toNanos();
    }

    /** One timer a connection, set again when it fires early because the deadline has moved; so moving it costs nothing. */
    private void watch(long nanos) {
        ChannelHandlerContext active = context;
        if (active == null) {
            return;
        }
        active.executor().schedule(
                () -> {
                    long left = deadlineNanos - System.nanoTime();
                    if (!active.channel().isActive()) {
                        return;
                    }
                    if (left > 0 || pending > 0) {
                        watch(Math.max(left, TimeUnit.SECONDS.toNanos(1)));
                    } else {
                        active.close();
                    }
                },
                nanos,
                TimeUnit.NANOSECONDS);
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
