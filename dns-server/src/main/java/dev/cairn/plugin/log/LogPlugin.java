package dev.cairn.plugin.log;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.FinishHook;
import dev.cairn.log.Log;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.plugin.ZoneValues;
import dev.cairn.wire.AddressText;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.WireName;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Logs finished queries by the first rule whose name matches. */
final class LogPlugin implements FinishHook {
    private static final ThreadLocal<StringBuilder> LINE = ThreadLocal.withInitial(() -> new StringBuilder(256));

    private final List<Rule> all;
    private final ZoneValues<Rule> rules;

    /**
     * What to log of a part of the name space.
     *
     * @param classes empty for all
     */
    record Rule(WireName scope, LineFormat format, Set<ResponseClass> classes) {
        boolean wants(Exchange exchange) {
            return classes.isEmpty() || classes.contains(ResponseType.of(exchange).responseClass());
        }
    }

    LogPlugin(List<Rule> rules) {
        this.all = List.copyOf(rules);
        this.rules = ZoneValues.first(rules, Rule::scope);
    }

    @Override
    public String name() {
        return "log";
    }

    void bind(Function<String, @Nullable MetadataValue> sources) {
        all.forEach(rule -> rule.format.bind(sources));
    }

    @Override
    public void finished(Exchange exchange) {
        Rule rule = rules.of(exchange.query());
        if (rule != null && rule.wants(exchange)) {
            log(rule.format, exchange);
        }
    }

    private void log(LineFormat format, Exchange exchange) {
        StringBuilder line = LINE.get();
        line.setLength(0);
        if (Log.format() == Log.Format.TEXT) {
            format.append(line.append("[INFO] "), exchange);
        } else {
            format.append(line, exchange);
            String message = line.toString();
            line.setLength(0);
            Log.openJson(line, Log.Level.INFO, message);
            appendMembers(line, exchange);
        }
        Log.raw(line.toString());
    }

    private static void appendMembers(StringBuilder json, Exchange exchange) {
        json.append(",\"plugin\":\"log\",\"client_ip\":\"");
        AddressText.append(json, exchange.clientAddress(), exchange.addressLength());
        json.append("\",\"client_port\":").append(exchange.clientPort()).append(",\"qname\":");
        Log.quote(json, exchange.query().nameText());
        json.append(",\"qtype\":\"").append(DnsType.toText(exchange.query().type()))
                .append("\",\"qclass\":\"").append(DnsClass.toText(exchange.query().dnsClass()))
                .append("\",\"protocol\":\"").append(exchange.protocol().label())
                .append("\",\"id\":").append(exchange.query().id())
                .append(",\"opcode\":").append(LineFormat.opcode(exchange))
                .append(",\"request_size\":").append(exchange.query().length())
                .append(",\"dnssec_ok\":").append(exchange.query().dnssecOk())
                .append(",\"bufsize\":").append(LineFormat.bufferSize(exchange))
                .append(",\"rcode\":");
        if (LineFormat.isReplied(exchange)) {
            json.append('"').append(LineFormat.rcode(exchange)).append('"');
        } else {
            json.append("null");
        }
        json.append(",\"response_size\":").append(exchange.replyLength()).append(",\"duration_seconds\":");
        LineFormat.appendSeconds(json, exchange.durationNanos()).append('}');
    }
}
