package dev.cairn.plugin.dnstap;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.FinishHook;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Step;
import dev.cairn.plugin.MessageTap;
import dev.cairn.plugin.WallClock;
import java.net.InetSocketAddress;
import java.util.Arrays;

/** Tells of queries when they come and of replies when they are made. */
final class DnstapPlugin implements FinishHook, MessageTap {
    private static final ThreadLocal<TapMessage> MESSAGE = ThreadLocal.withInitial(TapMessage::new);

    private final boolean full;
    private final byte[] head;
    private final boolean hasExtra;
    private final ExtraText extra;
    private final TapOutlet outlet;
    private final WallClock clock = new WallClock();

    DnstapPlugin(TapSettings settings, ExtraText extra, TapOutlet outlet) {
        this.full = settings.full();
        this.head = TapMessage.head(settings.identity(), settings.version());
        this.hasExtra = !settings.extra().isEmpty();
        this.extra = extra;
        this.outlet = outlet;
    }

    @Override
    public String name() {
        return "dnstap";
    }

    @Override
    public Step query(Exchange exchange) {
        if (!outlet.isWanted()) {
            return Step.NEXT;
        }
        TapMessage message = ofClient(TapMessage.CLIENT_QUERY, exchange);
        if (full) {
            message.message(false, exchange.query().message(), 0, exchange.query().length());
        }
        send(message, exchange);
        return Step.NEXT;
    }

    @Override
    public void finished(Exchange exchange) {
        if (exchange.replyLength() == 0 || !outlet.isWanted()) {
            return;
        }
        TapMessage message = ofClient(TapMessage.CLIENT_RESPONSE, exchange)
                .responseTime(clock.at(exchange.startNanos() + exchange.durationNanos()));
        if (full) {
            message.message(true, Dispatcher.worker().out(), 0, exchange.replyLength());
        }
        send(message, exchange);
    }

    private TapMessage ofClient(int type, Exchange exchange) {
        int length = exchange.addressLength();
        return MESSAGE.get()
                .begin(type, length == 4, socket(exchange.protocol()))
                .addresses(Arrays.copyOf(exchange.clientAddress(), length), Arrays.copyOf(exchange.localAddress(), length),
                        exchange.clientPort(), exchange.localPort())
                .queryTime(clock.at(exchange.startNanos()));
    }

    /** As in CoreDNS the address of the query is the client's and that of the response the other server's. */
    @Override
    public void forwarded(
            Exchange exchange, boolean reply, InetSocketAddress to, Protocol over, long sentNanos, byte[] bytes, int at, int length) {
        if (!outlet.isWanted()) {
            return;
        }
        byte[] server = to.getAddress().getAddress();
        TapMessage message = MESSAGE.get()
                .begin(reply ? TapMessage.FORWARDER_RESPONSE : TapMessage.FORWARDER_QUERY, server.length == 4, socket(over))
                .addresses(Arrays.copyOf(exchange.clientAddress(), exchange.addressLength()), server, exchange.clientPort(), to.getPort())
                .queryTime(clock.at(sentNanos));
        if (reply) {
            message.responseTime(clock.at(System.nanoTime()));
        }
        if (full) {
            message.message(reply, bytes, at, length);
        }
        send(message, exchange);
    }

    /** UDP or TCP as dnstap.proto numbers them. */
    private static int socket(Protocol protocol) {
        return protocol == Protocol.UDP ? 1 : 2;
    }

    private void send(TapMessage message, Exchange exchange) {
        outlet.offer(message.frame(head, hasExtra ? extra.of(exchange) : ""));
    }
}
