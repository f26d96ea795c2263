package dev.cairn.proxy.userspace;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client, its endpoint, and what is carried between them. Owned by the client's event loop. A side is read only while the other takes
 * what was read, so little is held. The end of one direction is passed on and leaves the other open; a failure of one side resets the
 * other.
 */
final class TcpConnection {
    private final Relay relay;
    private final Balancer balancer;
    private final Side client;
    private final Side server;

    private Iterator<Endpoint> candidates = List.<Endpoint>of().iterator();

    TcpConnection(Relay relay, Balancer balancer, SocketChannel channel) {
        this.relay = relay;
        this.balancer = balancer;
        client = new Side(true);
        server = new Side(false);
        client.channel = channel;
    }

    ChannelHandler clientSide() {
        return client;
    }

    private Side other(Side side) {
        return side == client ? server : client;
    }

    private void start(SocketChannel channel) {
        InetAddress address = channel.remoteAddress() == null ? null : channel.remoteAddress().getAddress();
        if (address == null) {
            Relay.reset(channel);   // it is gone already
            return;
        }
        candidates = balancer.order(address).iterator();
        connectNext(channel, address);
    }

    private void connectNext(SocketChannel channel, InetAddress address) {
        if (!candidates.hasNext()) {
            relay.metrics().failed();
            Relay.reset(channel);
            return;
        }
        Endpoint endpoint = candidates.next();
        relay.connect(channel.eventLoop(), endpoint, server).addListener((ChannelFuture done) -> {
            if (!channel.isActive()) {
                if (done.isSuccess()) {
                    Relay.reset((SocketChannel) done.channel());
                }
            } else if (done.isSuccess()) {
                balancer.took(address, endpoint);
                join(channel, (SocketChannel) done.channel());
            } else {
                relay.metrics().retried();
                connectNext(channel, address);
            }
        });
    }

    private void join(SocketChannel channel, SocketChannel endpoint) {
        server.channel = endpoint;
        client.early.forEach(endpoint::write);
        client.early.clear();
        endpoint.flush();
        if (client.ended) {
            finish(client, endpoint);
        } else if (endpoint.isWritable()) {
            channel.read();
        }
        endpoint.read();
    }

    /** Passes on the end of a direction once everything before it is written. */
    private void finish(Side from, SocketChannel to) {
        to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
            if (written.isSuccess()) {
                to.shutdownOutput().addListener(_ -> {
                    from.finished = true;
                    if (client.finished && server.finished) {
                        closeBoth();
                    }
                });
            }
        });
    }

    private void closeBoth() {
        for (SocketChannel channel : new SocketChannel[] {client.channel, server.channel}) {
            if (channel != null) {
                channel.close();
            }
        }
    }

    /** One end. A new attempt to connect uses it again; what failed before does not count. */
    private final class Side extends ChannelInboundHandlerAdapter {
        private final boolean isClient;
        /** Null for an endpoint before it is connected. */
        private @Nullable SocketChannel channel;
        /** What came before the other side was there. */
        private final List<ByteBuf> early = new ArrayList<>();
        /** Whether nothing more comes from here. */
        private boolean ended;
        /** Whether the other side knows that. */
        private boolean finished;

        Side(boolean isClient) {
            this.isClient = isClient;
        }

        @Override
        public boolean isSharable() {
            return true;   // by one attempt after another
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (isClient && channel != null) {
                start(channel);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            relay.metrics().carried(Protocol.TCP, isClient, bytes.readableBytes());
            SocketChannel to = other(this).channel;
            if (to == null) {
                early.add(bytes);
            } else {
                to.write(bytes);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            SocketChannel to = other(this).channel;
            if (to != null) {
                to.flush();
                if (to.isWritable() && !ended) {
                    context.read();
                }
            }
        }

        /** This side takes bytes again, or does not any more. */
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            Side source = other(this);
            if (context.channel().isWritable() && source.channel != null && !source.ended) {
                source.channel.read();
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownEvent && !ended) {
                ended = true;
                SocketChannel to = other(this).channel;
                if (to != null) {
                    finish(this, to);
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!context.channel().equals(channel)) {
                return;   // an attempt that came to nothing
            }
            early.forEach(ReferenceCountUtil::release);
            early.clear();
            SocketChannel to = other(this).channel;
            if (to != null && !(client.finished && server.finished)) {
                Relay.reset(to);
            }
        }

        /** As after a reset by the other end. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
