package dev.cairn.proxy.userspace;

import dev.cairn.facts.Protocol;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts what is carried. Any thread may tell and ask. */
final class RelayMetrics {
    private static final String PREFIX = "cairn_proxy_userspace_";

    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong sessions = new AtomicLong();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder begun = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder tcpToEndpoint = new LongAdder();
    private final LongAdder tcpToClient = new LongAdder();
    private final LongAdder udpToEndpoint = new LongAdder();
    private final LongAdder udpToClient = new LongAdder();

    /** A client came; false if there are too many. */
    boolean connected(int limit) {
        if (connections.incrementAndGet() > limit) {
            connections.decrementAndGet();
            refused.increment();
            return false;
        }
        accepted.increment();
        return true;
    }

    void disconnected() {
        connections.decrementAndGet();
    }

    /** A UDP client came; false if there are too many. */
    boolean sessionBegun(int limit) {
        if (sessions.incrementAndGet() > limit) {
            sessions.decrementAndGet();
            return false;
        }
        begun.increment();
        return true;
    }

    void sessionEnded() {
        sessions.decrementAndGet();
    }

    /** An endpoint did not take a connection. */
    void retried() {
        retried.increment();
    }

    /** No endpoint took a connection. */
    void failed() {
        failed.increment();
    }

    /** A datagram was not sent on. */
    void dropped() {
        dropped.increment();
    }

    void carried(Protocol protocol, boolean toEndpoint, int bytes) {
        if (protocol == Protocol.TCP) {
            (toEndpoint ? tcpToEndpoint : tcpToClient).add(bytes);
        } else {
            (toEndpoint ? udpToEndpoint : udpToClient).add(bytes);
        }
    }

    long connections() {
        return connections.get();
    }

    long sessions() {
        return sessions.get();
    }

    /** All of them in the text form of Prometheus. */
    String text() {
        StringBuilder text = new StringBuilder();
        one(text, "connections", "gauge", "TCP connections that are carried now.", connections.get());
        one(text, "connections_total", "counter", "TCP connections that were accepted.", accepted.sum());
        one(text, "connections_refused_total", "counter", "TCP connections that were one too many.", refused.sum());
        one(text, "connect_retries_total", "counter", "Endpoints that did not take a connection.", retried.sum());
        one(text, "connect_failures_total", "counter", "TCP connections that no endpoint took.", failed.sum());
        one(text, "udp_sessions", "gauge", "UDP clients that have an endpoint now.", sessions.get());
        one(text, "udp_sessions_total", "counter", "UDP clients that were given an endpoint.", begun.sum());
        one(text, "udp_dropped_total", "counter", "Datagrams that were not sent on.", dropped.sum());
        head(text, "bytes_total", "counter", "Bytes that were carried.");
        bytes(text, "tcp", "endpoint", tcpToEndpoint);
        bytes(text, "tcp", "client", tcpToClient);
        bytes(text, "udp", "endpoint", udpToEndpoint);
        bytes(text, "udp", "client", udpToClient);
        return text.toString();
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(PREFIX).append(name).append(' ').append(help).append("\n# TYPE ").append(PREFIX).append(name)
                .append(' ').append(type).append('\n');
    }

    private static void one(StringBuilder text, String name, String type, String help, long value) {
        head(text, name, type, help);
        text.append(PREFIX).append(name).append(' ').append(value).append('\n');
    }

    private static void bytes(StringBuilder text, String protocol, String to, LongAdder value) {
        text.append(PREFIX).append("bytes_total{protocol=\"").append(protocol).append("\",to=\"").append(to).append("\"} ")
                .append(value.sum()).append('\n');
    }
}
