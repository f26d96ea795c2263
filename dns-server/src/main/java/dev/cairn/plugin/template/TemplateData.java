package dev.cairn.plugin.template;

import dev.cairn.chain.Exchange;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.AddressText;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What templates can say about one query that matched. Values are String, Long, Boolean, List and Map. */
final class TemplateData {
    static final Set<String> FIELDS = Set.of(
            "Zone", "Name", "Regex", "Match", "Group", "Class", "Type", "Message", "Question", "Remote", "Var", "Meta");

    private final Map<String, Object> fields = new HashMap<>();
    private final Exchange exchange;
    private final Function<String, @Nullable MetadataValue> metadata;

    TemplateData(Exchange exchange, Function<String, @Nullable MetadataValue> metadata, Map<String, Object> matched) {
        this.exchange = exchange;
        this.metadata = metadata;
        fields.putAll(matched);
        QueryView query = exchange.query();
        fields.put("Name", query.nameText());
        fields.put("Remote", AddressText.of(Arrays.copyOf(exchange.clientAddress(), exchange.addressLength())));
        Map<String, Object> question = Map.of("Name", WireName.toText(query.message(), QueryView.HEADER),
                "Qtype", (long) query.type(), "Qclass", (long) query.dnsClass());
        fields.put("Question", question);
        fields.put("Message", message(query, question));
    }

    private static Map<String, Object> message(QueryView query, Map<String, Object> question) {
        int flags = query.flags();
        Map<String, Object> header = Map.of("Id", (long) query.id(), "Opcode", (long) (flags & HeaderFlag.OPCODE_MASK) >> 11,
                "Response", false, "Authoritative", (flags & HeaderFlag.AA) != 0, "Truncated", (flags & HeaderFlag.TC) != 0,
                "RecursionDesired", (flags & HeaderFlag.RD) != 0, "RecursionAvailable", (flags & HeaderFlag.RA) != 0,
                "Zero", (flags & HeaderFlag.Z) != 0, "AuthenticatedData", (flags & HeaderFlag.AD) != 0,
                "CheckingDisabled", (flags & HeaderFlag.CD) != 0);
        Map<String, Object> message = new HashMap<>(header);
        message.put("MsgHdr", header);
        message.put("Question", List.of(question));
        return message;
    }

    @Nullable Object field(String name) {
        return fields.get(name);
    }

    String meta(String label) {
        MetadataValue source = metadata.apply(label);
        String value = source == null ? null : source.of(exchange);
        return value == null ? "" : value;
    }
}
