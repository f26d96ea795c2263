package dev.cairn.proxy.userspace;

import dev.cairn.proxy.plan.Endpoint;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A port for UDP: each client has a session with its endpoint, until it is silent for long or the endpoint goes. The event loop owns the
 * sessions.
 */
final class UdpListener extends SimpleChannelInboundHandler<DatagramPacket> implements RelayListener {
    private final Relay relay;
    private final Balancer balancer;
    /** Those that were silent for longest first. */
    private final LinkedHashMap<InetSocketAddress, UdpSession> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private @Nullable Channel channel;
    private @Nullable Future<?> sweep;

    UdpListener(Relay relay, Balancer balancer) {
        this.relay = relay;
        this.balancer = balancer;
    }

    void bound(Channel own) {
        channel = own;
    }

    private Channel channel() {
        return Objects.requireNonNull(channel, "bound before use");
    }

    @Override
    public int port() {
        return ((InetSocketAddress) channel().localAddress()).getPort();
    }

    @Override
    public void update(Targets targets) {
        balancer.update(targets);
        Set<Endpoint> those = new HashSet<>(targets.kept());
        channel().eventLoop().execute(() ->
                List.copyOf(sessions.values()).stream().filter(session -> !those.contains(session.endpoint())).forEach(this::end));
    }

    @Override
    public void close() {
        channel().close().awaitUninterruptibly();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (sweep != null) {
            sweep.cancel(false);
        }
        List.copyOf(sessions.values()).forEach(this::end);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
        UdpSession session = sessions.get(packet.sender());
        if (session == null) {
            session = begin(context, packet.sender());
        }
        if (session == null) {
            relay.metrics().dropped();
            return;
        }
        session.used(relay.clock().getAsLong());
        session.send(packet.content().retain());
    }

    private @Nullable UdpSession begin(ChannelHandlerContext context, InetSocketAddress client) {
        List<Endpoint> order = balancer.order(client.getAddress());
        if (order.isEmpty()) {
            return null;
        }
        while (!relay.metrics().sessionBegun(relay.limits().sessions())) {
            if (sessions.isEmpty()) {
                return null;
            }
            end(sessions.firstEntry().getValue());
        }
        UdpSession session = new UdpSession(this, relay, context.channel(), client, order.getFirst());
        sessions.put(client, session);
        session.start();
        if (sweep == null) {
            long pause = Math.clamp(relay.limits().udpIdle().toMillis() / 4, 10, 1000);
            sweep = context.executor().scheduleWithFixedDelay(this::sweep, pause, pause, TimeUnit.MILLISECONDS);
        }
        return session;
    }

    private void sweep() {
        long now = relay.clock().getAsLong();
        while (!sessions.isEmpty()) {
            UdpSession eldest = sessions.firstEntry().getValue();
            if (now - eldest.lastUsed() < relay.limits().udpIdle().toNanos()) {
                return;
            }
            end(eldest);
        }
        if (sweep != null) {
            sweep.cancel(false);
            sweep = null;
        }
    }

    /** An endpoint answered, so the session is in use. */
    void answered(UdpSession session) {
        if (sessions.get(session.client()) == session) {
            session.used(relay.clock().getAsLong());
        }
    }

    /** Ends a session; the client's next datagram begins another. */
    void end(UdpSession session) {
        if (sessions.remove(session.client(), session)) {
            relay.metrics().sessionEnded();
            session.close();
        }
    }

    /** An endpoint does not take a client's datagrams: the next one may find another. */
    void refused(UdpSession session) {
        balancer.refused(session.client().getAddress(), session.endpoint());
        end(session);
    }

    /** Of a socket that is bound and not connected, nothing that a client does is told here. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        relay.metrics().dropped();
    }
}
