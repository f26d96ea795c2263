package dev.cairn.listen.connection;

import dev.cairn.chain.Relay;
import dev.cairn.log.Log;
import dev.cairn.plugin.ProxyProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Takes a PROXY header off the front of a connection and leaves. Stands before all others, since the header is before TLS, too. A client
 * that sends half a header is ended by the connection's timer.
 */
public final class ProxyHeaderDecoder extends ByteToMessageDecoder {
    private static final Log LOG = Log.plugin("proxyproto");

    /** What is kept of a header that comes in pieces: version 2 allows 64 KiB of fields, of which nobody makes use. */
    private static final int MAX_HEADER = 4096;

    private final ProxyProtocol protocol;

    public ProxyHeaderDecoder(ProxyProtocol protocol) {
        this.protocol = protocol;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        Peer peer = Peer.of(context.channel());
        ProxyProtocol.Action action = protocol.action(peer.client(), peer.client().length);
        if (action == ProxyProtocol.Action.SKIP) {
            leave(context);
            return;
        }
        byte[] start = new byte[Math.min(in.readableBytes(), MAX_HEADER)];
        in.getBytes(in.readerIndex(), start);
        switch (ProxyHeader.start(start, start.length)) {
            case NONE -> leave(context);
            case PARTIAL -> {
                if (start.length == MAX_HEADER) {
                    refuse(context, "the header is too long");
                }
            }
            case HEADER -> take(context, in, start, peer, action);
        }
    }

    private void take(ChannelHandlerContext context, ByteBuf in, byte[] start, Peer peer, ProxyProtocol.Action action) {
        try {
            ProxyHeader header = ProxyHeader.read(start, start.length);
            if (action == ProxyProtocol.Action.REJECT) {
                refuse(context, "it is not among those whose headers are allowed");
                return;
            }
            in.skipBytes(header.length());
            if (action == ProxyProtocol.Action.USE && header.namesClient()) {
                Relay relay = new Relay(peer.client(), peer.clientPort(), peer.local(), header.tlvs(protocol.tlvs()));
                Peer.tell(context.channel(), new Peer(
                        header.source(), header.sourcePort(), header.destination(), header.destinationPort(), relay));
            }
            leave(context);
        } catch (ProxyHeader.BadHeader e) {
            refuse(context, String.valueOf(e.getMessage()));
        }
    }

    /** What has been received beyond the header goes on to those who come next. */
    private void leave(ChannelHandlerContext context) {
        context.pipeline().remove(this);
    }

    private static void refuse(ChannelHandlerContext context, String reason) {
        LOG.offer(Log.Level.DEBUG, "closing the connection from " + context.channel().remoteAddress() + " with a bad PROXY header: "
                + reason);
        context.close();
    }
}
