package dev.cairn.plugin.trace;

import dev.cairn.build.BuildInfo;
import dev.cairn.log.Log;
import java.util.List;

/** The OpenTelemetry protocol as JSON (opentelemetry-proto, trace/v1). Names of attributes are those of its semantic conventions where there are any. */
record OtlpFormat(String service) implements SpanFormat {
    private static final int KIND_SERVER = 2;
    private static final int STATUS_ERROR = 2;

    @Override
    public String body(List<Span> spans) {
        StringBuilder json = new StringBuilder(512 + 1024 * spans.size());
        json.append("{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
        attribute(json, "service.name", service);
        json.append("]},\"scopeSpans\":[{\"scope\":{\"name\":\"cairn\",\"version\":");
        Log.quote(json, BuildInfo.version());
        json.append("},\"spans\":[");
        for (int i = 0; i < spans.size(); i++) {
            json.append(i == 0 ? "" : ",");
            append(json, spans.get(i));
        }
        return json.append("]}]}]}").toString();
    }

    private static void append(StringBuilder json, Span span) {
        json.append("{\"traceId\":\"");
        Span.appendHex(json, span.traceHigh());
        Span.appendHex(json, span.traceLow());
        json.append("\",\"spanId\":\"");
        Span.appendHex(json, span.id());
        // 64-bit integers are strings in the JSON of protocol buffers.
        json.append("\",\"name\":\"servedns\",\"kind\":").append(KIND_SERVER)
                .append(",\"startTimeUnixNano\":\"").append(span.startNanos())
                .append("\",\"endTimeUnixNano\":\"").append(span.startNanos() + span.durationNanos())
                .append("\",\"attributes\":[");
        attribute(json, "dns.question.name", span.name());
        attribute(json, "dns.question.type", span.type());
        attribute(json, "dns.response.code", span.rcode());
        attribute(json, "network.transport", span.protocol());
        attribute(json, "client.address", span.client());
        attribute(json, "client.port", Integer.toString(span.clientPort()));
        attribute(json, "server.address", span.server());
        attribute(json, "server.port", Integer.toString(span.serverPort()));
        attribute(json, "cairn.plugin", span.plugin());
        json.append(']');
        String error = span.error();
        if (error != null) {
            json.append(",\"status\":{\"code\":").append(STATUS_ERROR).append(",\"message\":");
            Log.quote(json, error);
            json.append('}');
        }
        json.append('}');
    }

    private static void attribute(StringBuilder json, String name, String value) {
        if (value.isEmpty()) {
            return;
        }
        boolean number = name.endsWith(".port");
        json.append(json.charAt(json.length() - 1) == '[' ? "" : ",").append("{\"key\":\"").append(name)
                .append(number ? "\",\"value\":{\"intValue\":" : "\",\"value\":{\"stringValue\":");
        Log.quote(json, value);
        json.append("}}");
    }
}
