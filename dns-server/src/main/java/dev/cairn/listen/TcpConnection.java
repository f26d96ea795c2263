package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.ReplySink;
import dev.cairn.listen.connection.ConnectionTimer;
import dev.cairn.listen.connection.Finish;
import dev.cairn.listen.connection.Peer;
import dev.cairn.listen.connection.Service;
import dev.cairn.plugin.ListenSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One TCP or TLS connection, served on its event loop, which owns all fields (RFC 7766, RFC 7858): queries may be pipelined, replies
 * leave in the order they get ready. A client that does not read is not read from; if it goes on so, it is cut off.
 */
final class TcpConnection extends ByteToMessageDecoder implements ReplySink {
    private static final int LENGTH_PREFIX = 2;

    /** How many queries of one connection may be with plugins at once. */
    private static final int MAX_PENDING = 256;

    /** How long a connection that may send no more is read on, for the client to see the end and close it. */
    private static final Duration LINGER = Duration.ofSeconds(1);

    /** How many messages of a long reply are made before other connections get their turn. */
    private static final int MESSAGES_AT_ONCE = 4;

    /** How many connections of a listener may have unread replies piled up at once; bounds what replies can hold of memory. */
    private static final int MAX_SLOW_READERS = 64;

    /** Replies that get ready together leave in pieces of at most this size, unless one is larger: a TLS record (RFC 8446 section 5.1). */
    private static final int MAX_PIECE = 16 << 10;

    private final Service service;
    private final ListenSettings settings;
    private final AtomicInteger slowReaders;
    private final BooleanSupplier closing;
    /** Exchanges whose replies have more messages; while there are any, nothing is read. */
    private final Deque<Exchange> streams = new ArrayDeque<>(1);
    private boolean streaming;
    private Exchange exchange = new Exchange();
    /** Replies to what is being read, which leave together. */
    private @Nullable ByteBuf replies;
    /** How many queries were answered since the last {@link #channelReadComplete}. */
    private int answered;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ConnectionTimer timer;
    private @Nullable Peer peer;
    private boolean encrypted;
    private int served;
    private int pending;
    private boolean slow;
    private boolean partial;
    private boolean lastServed;
    private boolean finished;
    private boolean lingering;
    /** Whether the client has shut down its side. */
    private boolean ended;

    TcpConnection(Service service, ListenSettings settings, AtomicInteger slowReaders, BooleanSupplier closing) {
        this.service = service;
        this.settings = settings;
        this.slowReaders = slowReaders;
        this.closing = closing;
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        context = active;
        timer = new ConnectionTimer(active, () -> pending > 0);
        deadline(settings.readTimeout()); // which includes the time for a handshake
        active.fireChannelActive();
    }

    private void deadline(Duration fromNow) {
        if (timer != null) {
            timer.endIn(fromNow);
        }
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
        answered++;
        serve(active, size, in.readableBytes());
    }

    private boolean paused() {
        return slow || pending >= MAX_PENDING || !streams.isEmpty();
    }

    private void serve(ChannelHandlerContext active, int size, int left) {
        Dispatcher.Worker worker = Dispatcher.worker();
        if (peer == null) {
            peer = Peer.of(active.channel()); // not before the first query: a PROXY header may have to tell
            encrypted = active.pipeline().get(SslHandler.class) != null;
        }
        peer.describe(exchange, Protocol.TCP);
        exchange.encrypted(encrypted);
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
            reply(active, worker.out(), length, left);
            if (exchange.stream() != null) {
                Exchange more = exchange;
                exchange = new Exchange();
                stream(active, more);
            }
        }
        finishIfLast(active);
    }

    @Override
    public boolean takesStreams() {
        return true;
    }

    private void stream(ChannelHandlerContext active, Exchange more) {
        streams.add(more);
        active.channel().config().setAutoRead(false);
        active.executor().execute(() -> sendStreams(active)); // not from within decode, which it may set going again
    }

    /** Sends of long replies what the client takes now; goes on when it has taken that. */
    private void sendStreams(ChannelHandlerContext active) {
        if (streaming || streams.isEmpty()) {
            return;
        }
        streaming = true;
        Dispatcher.Worker worker = Dispatcher.worker();
        for (int i = 0; i < MESSAGES_AT_ONCE && !streams.isEmpty() && active.channel().isWritable(); i++) {
            int length = service.dispatcher().next(streams.element(), worker);
            if (length > 0) {
                active.writeAndFlush(frame(active, worker.out(), length), active.voidPromise());
            } else {
                streams.remove();
                if (length == Dispatcher.BROKEN) {
                    active.close();
                }
            }
        }
        streaming = false;
        if (!slow) {
            deadline(settings.idleTimeout());
        }
        if (streams.isEmpty()) {
            finishIfLast(active);
            resumeReading(active);
        } else if (active.channel().isWritable()) {
            active.executor().execute(() -> sendStreams(active));
        }
    }

    /** Adds a reply to those that leave together; {@code left} bytes of queries tell how much room the next ones will want. */
    private void reply(ChannelHandlerContext active, byte[] reply, int length, int left) {
        int size = LENGTH_PREFIX + length;
        ByteBuf together = replies;
        if (together == null || together.maxFastWritableBytes() < size) {
            writeReplies(active);
            together = active.alloc().directBuffer(Math.max(size, Math.min(MAX_PIECE, size + 2 * left)));
            replies = together;
        }
        together.writeShort(length).writeBytes(reply, 0, length);
    }

    private void writeReplies(ChannelHandlerContext active) {
        ByteBuf together = replies;
        if (together != null) {
            replies = null;
            active.write(together, active.voidPromise());
        }
    }

    private static ByteBuf frame(ChannelHandlerContext active, byte[] reply, int length) {
        return active.alloc().directBuffer(LENGTH_PREFIX + length).writeShort(length).writeBytes(reply, 0, length);
    }

    private void finishIfLast(ChannelHandlerContext active) {
        if (lastServed && pending == 0 && streams.isEmpty() && !finished) {
            finished = true;
            boolean mayHaveSentMore = served == settings.maxTcpQueries() && !closing.getAsBoolean();
            writeReplies(active);
            active.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> {
                if (mayHaveSentMore && !ended) {
                    linger(active);
                } else {
                    active.close();
                }
            });
        }
    }

    /** Says that no more replies come and takes in what the client still sends: to close on that would throw away replies on their way. */
    private void linger(ChannelHandlerContext active) {
        lingering = true;
        SslHandler tls = active.pipeline().get(SslHandler.class);
        if (tls == null) {
            ((DuplexChannel) active.channel()).shutdownOutput();
        } else {
            tls.closeOutbound();
        }
        active.channel().config().setAutoRead(true);
        deadline(LINGER);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext active) {
        if (answered > 0) {
            writeReplies(active);
            if (!slow && !partial) {
                deadline(settings.idleTimeout());
            }
            Turn.ofThisLoop().answered(answered, active.channel(), active.executor());
            answered = 0;
        } else {
            active.flush();
        }
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
                deadline(settings.idleTimeout()); // between queries means from the reply on
            }
            to.writeAndFlush(framed, to.voidPromise());
            if (length > 0 && done.stream() != null) {
                stream(to, done);
            }
            finishIfLast(to);
            resumeReading(to);
        });
    }

    private void resumeReading(ChannelHandlerContext active) {
        if (!paused() && (ended || !active.channel().config().isAutoRead())) {
            if (!ended) {
                active.channel().config().setAutoRead(true);
            }
            // What had been received already is decoded by an empty read; no new bytes need come.
            decodeReceived(active);
            finishIfEnded(active);
        }
    }

    private void decodeReceived(ChannelHandlerContext active) {
        try {
            channelRead(active, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            exceptionCaught(active, e);
        }
        channelReadComplete(active);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext active) {
        if (!slow && !active.channel().isWritable()) {
            active.flush(); // replies wait for the end of the batch; only what the socket does not take now is left by the client
        }
        boolean unread = !active.channel().isWritable();
        if (unread != slow) {
            slow = unread;
            slownessChanged(active);
        }
        if (!unread) {
            sendStreams(active);
        }
    }

    private void slownessChanged(ChannelHandlerContext active) {
        if (slow) {
            active.channel().config().setAutoRead(false);
            deadline(settings.writeTimeout());
            if (slowReaders.incrementAndGet() > MAX_SLOW_READERS) {
                active.close();
            }
        } else {
            slowReaders.decrementAndGet();
            deadline(partial ? settings.readTimeout() : settings.idleTimeout());
            resumeReading(active);
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext active) {
        streams.clear();
        if (replies != null) {
            replies.release();
            replies = null;
        }
        if (slow) {
            slow = false;
            slowReaders.decrementAndGet();
        }
        if (timer != null) {
            timer.cancel();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext active, Object event) {
        if (event == Finish.EVENT && !partial) {
            lastServed = true;
            finishIfLast(active);
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            ended = true;
            if (served == 0 || lingering) {
                active.close();
            } else {
                finishIfEnded(active);
            }
        }
    }

    /** Nothing more comes from the client, which may still wait for replies to what it has sent. */
    private void finishIfEnded(ChannelHandlerContext active) {
        if (ended && !paused()) {
            lastServed = true;
            finishIfLast(active);
        }
    }

    /** Resets and broken pipes are the client's way to leave, and so is a handshake that fails. */
    @Override
    public void exceptionCaught(ChannelHandlerContext active, Throwable cause) {
        active.close();
        if (!(cause instanceof IOException) && !(cause instanceof DecoderException wrapped && wrapped.getCause() instanceof IOException)) {
            active.fireExceptionCaught(cause);
        }
    }
}
