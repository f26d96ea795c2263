package dev.cairn.plugin.trace;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.wire.AddressText;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One query from its coming to its reply.
 *
 * @param startNanos since 1970
 * @param plugin which plugin answered; empty if the server itself did
 * @param error what the operator is told of it, null if nothing
 */
record Span(
        long traceHigh,
        long traceLow,
        long id,
        long startNanos,
        long durationNanos,
        String name,
        String type,
        String rcode,
        String protocol,
        String client,
        int clientPort,
        String server,
        int serverPort,
        String plugin,
        @Nullable String error) {
    static Span of(Exchange exchange, long startNanos) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Plugin by = exchange.answeredBy();
        return new Span(
                random.nextLong(),
                notZero(random),
                notZero(random),
                startNanos,
                exchange.durationNanos(),
                exchange.query().nameText(),
                DnsType.toText(exchange.query().type()),
                exchange.replyLength() == 0 ? "" : Rcode.toText(exchange.answer().rcode()),
                exchange.protocol().label(),
                address(exchange, exchange.clientAddress()),
                exchange.clientPort(),
                address(exchange, exchange.localAddress()),
                exchange.localPort(),
                by == null ? "" : by.name(),
                exchange.error());
    }

    /** An id of zeros is none (W3C Trace Context, section 3.2.2.3). */
    private static long notZero(ThreadLocalRandom random) {
        long id = random.nextLong();
        return id == 0 ? 1 : id;
    }

    private static String address(Exchange exchange, byte[] bytes) {
        return AddressText.of(Arrays.copyOf(bytes, exchange.addressLength()));
    }

    static void appendHex(StringBuilder to, long number) {
        String hex = Long.toHexString(number);
        to.repeat('0', 16 - hex.length()).append(hex);
    }
}
