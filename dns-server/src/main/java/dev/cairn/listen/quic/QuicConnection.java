package dev.cairn.listen.quic;

import dev.cairn.chain.Exchange;
import dev.cairn.listen.connection.Finish;
import dev.cairn.listen.connection.Peer;
import dev.cairn.plugin.ListenSettings;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.quic.QuicChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One QUIC connection: what its queries share. Idle ones are ended by QUIC itself. */
final class QuicConnection extends ChannelInboundHandlerAdapter {
    /** What the unfinished queries of a connection may hold together. */
    private static final int MAX_RECEIVED = 128 << 10;

    /** What a connection may leave unread of replies. */
    private static final int MAX_UNSENT = 256 << 10;

    private final QuicService quic;
    private final ListenSettings settings;
    private Exchange exchange = new Exchange();
    private @Nullable QuicChannel channel;
    private @Nullable ScheduledFuture<?> handshake;
    private int open;
    private int received;
    private int unsent;

    QuicConnection(QuicService quic, ListenSettings settings) {
        this.quic = quic;
        this.settings = settings;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = (QuicChannel) context.channel();
        handshake = context.executor().schedule(
                () -> end(DoqCode.NO_ERROR), settings.readTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        established();
        if (quic.established(context.channel())) {
            context.fireChannelActive();
        } else {
            end(DoqCode.NO_ERROR);
        }
    }

    private void established() {
        if (handshake != null) {
            handshake.cancel(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        established();
        context.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == Finish.EVENT) {
            closeIfDone();
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    private void closeIfDone() {
        if (open == 0 && quic.isClosing()) {
            end(DoqCode.NO_ERROR);
        }
    }

    /** A client whose handshake fails, or who breaks the rules of QUIC, is told so by QUIC. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
        if (cause instanceof Error) {
            context.fireExceptionCaught(cause);
        }
    }

    // What follows is for the queries.

    QuicService quic() {
        return quic;
    }

    ListenSettings settings() {
        return settings;
    }

    /** Clients may move to another address, so it is asked for each query. */
    Peer peer() {
        QuicChannel of = channel;
        return of == null ? Peer.of(null, null) : Peer.of(of.remoteSocketAddress(), of.localSocketAddress());
    }

    Exchange exchange() {
        return exchange;
    }

    void kept() {
        exchange = new Exchange();
    }

    boolean queryBegins() {
        if (!quic.isClosing() && quic.queryBegins()) {
            open++;
            return true;
        }
        return false;
    }

    void queryDone() {
        open--;
        quic.queryDone();
        closeIfDone();
    }

    /** Whether this many more bytes of unfinished queries may be kept; they count until {@link #forget}. */
    boolean keep(int bytes) {
        if (received + bytes > MAX_RECEIVED) {
            return false;
        }
        received += bytes;
        return true;
    }

    void forget(int bytes) {
        received -= bytes;
    }

    /** Counts a reply until the client has taken it; who leaves too much is cut off. */
    void sent(int bytes, ChannelFuture written) {
        unsent += bytes;
        written.addListener(_ -> unsent -= bytes);
        if (unsent > MAX_UNSENT) {
            fail(DoqCode.EXCESSIVE_LOAD);
        }
    }

    /** Ends the connection because of what the client did. */
    void fail(DoqCode code) {
        quic.count(code);
        end(code);
    }

    private void end(DoqCode code) {
        if (channel != null) {
            channel.close(true, code.number(), Unpooled.EMPTY_BUFFER);
        }
    }
}
