package dev.cairn.plugin.trace;

import dev.cairn.log.Log;
import java.util.List;

/** Zipkin's API version 2. Names of tags are CoreDNS's. */
record ZipkinFormat(String service) implements SpanFormat {
    @Override
    public String body(List<Span> spans) {
        StringBuilder json = new StringBuilder(512 * spans.size()).append('[');
        for (Span span : spans) {
            if (json.length() > 1) {
                json.append(',');
            }
            append(json, span);
        }
        return json.append(']').toString();
    }

    private void append(StringBuilder json, Span span) {
        json.append("{\"traceId\":\"");
        Span.appendHex(json, span.traceHigh());
        Span.appendHex(json, span.traceLow());
        json.append("\",\"id\":\"");
        Span.appendHex(json, span.id());
        // A span has at least a microsecond: 0 stands for an unknown duration.
        json.append("\",\"kind\":\"SERVER\",\"name\":\"servedns\",\"timestamp\":").append(span.startNanos() / 1000)
                .append(",\"duration\":").append(Math.max(1, span.durationNanos() / 1000));
        endpoint(json, "localEndpoint", service, span.server(), span.serverPort());
        endpoint(json, "remoteEndpoint", "", span.client(), span.clientPort());
        json.append(",\"tags\":{\"coredns.io/name\":");
        Log.quote(json, span.name());
        tag(json, "coredns.io/type", span.type());
        tag(json, "coredns.io/proto", span.protocol());
        tag(json, "coredns.io/remote", span.client());
        tag(json, "coredns.io/rcode", span.rcode());
        tag(json, "cairn/plugin", span.plugin());
        tag(json, "error", span.error() == null ? "" : span.error());
        json.append("}}");
    }

    private static void endpoint(StringBuilder json, String member, String service, String address, int port) {
        json.append(",\"").append(member).append("\":{");
        if (!service.isEmpty()) {
            json.append("\"serviceName\":");
            Log.quote(json, service);
            json.append(',');
        }
        json.append(address.indexOf(':') < 0 ? "\"ipv4\":\"" : "\"ipv6\":\"").append(address).append("\",\"port\":").append(port).append('}');
    }

    private static void tag(StringBuilder json, String name, String value) {
        if (!value.isEmpty()) {
            json.append(",\"").append(name).append("\":");
            Log.quote(json, value);
        }
    }
}
