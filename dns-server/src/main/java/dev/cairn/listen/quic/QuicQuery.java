package dev.cairn.listen.quic;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.ReplySink;
import dev.cairn.listen.connection.Service;
import dev.cairn.wire.Verdict;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.handler.codec.quic.QuicStreamChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stream: one query with its length before it, and the reply likewise (RFC 9250 section 4.2). What the protocol forbids ends the
 * connection (section 4.3.3), what merely takes too long or too much ends the stream.
 */
final class QuicQuery extends ChannelInboundHandlerAdapter implements ReplySink {
    private static final int LENGTH_PREFIX = 2;

    /** The option that makes no sense here (RFC 9250 section 5.5.2). */
    private static final int TCP_KEEPALIVE = 11;

    private final QuicConnection connection;
    private final ByteBuf in = Unpooled.buffer(128, LENGTH_PREFIX + 0xffff);
    private @Nullable ChannelHandlerContext context;
    private @Nullable ScheduledFuture<?> slow;
    private boolean begun;
    private boolean received;

    QuicQuery(QuicConnection connection) {
        this.connection = connection;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        begun = connection.queryBegins();
        if (begun) {
            slow = added.executor().schedule(
                    () -> abandon(added, DoqCode.INTERNAL_ERROR), connection.settings().readTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } else {
            abandon(added, DoqCode.EXCESSIVE_LOAD);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext active, Object message) {
        ByteBuf more = (ByteBuf) message;
        try {
            int size = more.readableBytes();
            if (received) {
                if (size > 0 && begun) {
                    connection.fail(DoqCode.PROTOCOL_ERROR); // more than one query
                }
            } else if (size > in.maxWritableBytes()) {
                connection.fail(DoqCode.PROTOCOL_ERROR);
            } else if (!connection.keep(size)) {
                abandon(active, DoqCode.EXCESSIVE_LOAD);
            } else {
                in.writeBytes(more);
                serveIfWhole(active);
            }
        } finally {
            more.release();
        }
    }

    private void serveIfWhole(ChannelHandlerContext active) {
        int size = in.readableBytes() < LENGTH_PREFIX ? -1 : in.getUnsignedShort(0);
        if (size < 0 || in.readableBytes() < LENGTH_PREFIX + size) {
            return;
        }
        stopReceiving();
        if (in.readableBytes() > LENGTH_PREFIX + size) {
            connection.fail(DoqCode.PROTOCOL_ERROR);
            return;
        }
        serve(active, size);
    }

    private void stopReceiving() {
        if (!received) {
            received = true;
            connection.forget(in.readableBytes());
        }
        if (slow != null) {
            slow.cancel(false);
        }
    }

    private void serve(ChannelHandlerContext active, int size) {
        Service service = connection.quic().service();
        Exchange exchange = connection.exchange();
        in.getBytes(LENGTH_PREFIX, exchange.query().buffer(size), 0, size);
        Verdict verdict = exchange.query().read(size);
        boolean proper = verdict == Verdict.ANSWER || verdict == Verdict.BAD_VERSION;
        if (!proper || exchange.query().id() != 0 || exchange.query().option(TCP_KEEPALIVE) >= 0) {
            connection.fail(DoqCode.PROTOCOL_ERROR);
            return;
        }
        connection.peer().describe(exchange, Protocol.QUIC);
        exchange.encrypted(true);
        Dispatcher.Worker worker = Dispatcher.worker();
        int length = service.dispatcher().handle(exchange, size, service.router(), worker, this);
        if (length == Dispatcher.LATER) {
            connection.kept();
        } else if (length > 0) {
            reply(active, frame(active, worker.out(), length));
        } else {
            abandon(active, DoqCode.INTERNAL_ERROR);
        }
    }

    private static ByteBuf frame(ChannelHandlerContext active, byte[] reply, int length) {
        return active.alloc().directBuffer(LENGTH_PREFIX + length).writeShort(length).writeBytes(reply, 0, length);
    }

    private void reply(ChannelHandlerContext active, ByteBuf framed) {
        int size = framed.readableBytes();
        connection.quic().count(DoqCode.NO_ERROR);
        ChannelFuture written = active.writeAndFlush(framed);
        connection.sent(size, written);
        written.addListener(QuicStreamChannel.SHUTDOWN_OUTPUT); // nothing follows a reply
        done();
    }

    @Override
    public void send(Exchange exchange, byte[] reply, int length) {
        ChannelHandlerContext to = context;
        if (to == null) {
            return;
        }
        ByteBuf framed = length > 0 ? frame(to, reply, length) : Unpooled.EMPTY_BUFFER;
        to.executor().execute(() -> {
            if (length > 0) {
                reply(to, framed);
            } else {
                abandon(to, DoqCode.INTERNAL_ERROR);
            }
        });
    }

    /** Gives this query up. The client is not asked to stop sending: that is for clients to ask (RFC 9250 section 4.3.1). */
    private void abandon(ChannelHandlerContext active, DoqCode code) {
        stopReceiving();
        connection.quic().count(code);
        ((QuicStreamChannel) active.channel()).shutdownOutput(code.number());
        done();
    }

    private void done() {
        if (begun) {
            begun = false;
            connection.queryDone();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext active, Object event) {
        boolean ended = event == ChannelInputShutdownEvent.INSTANCE || event == ChannelInputShutdownReadComplete.INSTANCE;
        if (ended && !received) {
            stopReceiving();
            connection.fail(DoqCode.PROTOCOL_ERROR); // the end before all of the query (RFC 9250 section 4.3.3)
        } else {
            active.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext active) {
        stopReceiving();
        done();
        active.fireChannelInactive();
    }

    /** The client took its query back, or the connection is gone. */
    @Override
    public void exceptionCaught(ChannelHandlerContext active, Throwable cause) {
        active.close();
        if (cause instanceof Error) {
            active.fireExceptionCaught(cause);
        }
    }
}
