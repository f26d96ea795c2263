package dev.cairn.plugin.dnstap;

import dev.cairn.chain.Exchange;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.AddressText;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Text with places for what is known of a query. Immutable but for {@link #bind}. */
final class ExtraText {
    private static final Pattern PLACE = Pattern.compile("\\{/([^{}]+)\\}|\\{>?[a-z]+\\}");

    /** What stands in place of what is not known. */
    private static final String EMPTY = "-";

    private static final Map<String, MetadataValue> PLACES = Map.of(
            "{type}", exchange -> DnsType.toText(exchange.query().type()),
            "{name}", exchange -> exchange.query().nameText(),
            "{class}", exchange -> DnsClass.toText(exchange.query().dnsClass()),
            "{proto}", exchange -> exchange.protocol().label(),
            "{size}", exchange -> Integer.toString(exchange.query().length()),
            "{remote}", exchange -> address(exchange, exchange.clientAddress()),
            "{port}", exchange -> Integer.toString(exchange.clientPort()),
            "{local}", exchange -> address(exchange, exchange.localAddress()),
            "{>id}", exchange -> Integer.toString(exchange.query().id()),
            "{>do}", exchange -> Boolean.toString(exchange.query().dnssecOk()));

    private final List<Piece> pieces;
    private volatile MetadataValue[] sources = {};

    /** Text as it is, or what stands in its place: a label if {@code label} says so. */
    private record Piece(String text, boolean label, @Nullable MetadataValue value) {}

    private ExtraText(List<Piece> pieces) {
        this.pieces = pieces;
    }

    static ExtraText parse(String text) {
        List<Piece> pieces = new ArrayList<>();
        Matcher places = PLACE.matcher(text);
        int from = 0;
        while (places.find()) {
            String label = places.group(1);
            MetadataValue known = PLACES.get(places.group());
            if (label != null || known != null) {
                pieces.add(new Piece(text.substring(from, places.start()), false, null));
                pieces.add(new Piece(label == null ? "" : label, label != null, known));
                from = places.end();
            }
        }
        pieces.add(new Piece(text.substring(from), false, null));
        return new ExtraText(pieces);
    }

    private static String address(Exchange exchange, byte[] bytes) {
        StringBuilder text = new StringBuilder();
        AddressText.appendBracketed(text, bytes, exchange.addressLength());
        return text.toString();
    }

    /** Finds the sources of metadata labels; to be called before the first use. */
    void bind(Function<String, @Nullable MetadataValue> labels) {
        MetadataValue[] found = new MetadataValue[pieces.size()];
        for (int i = 0; i < found.length; i++) {
            Piece piece = pieces.get(i);
            MetadataValue value = piece.label ? labels.apply(piece.text) : piece.value;
            found[i] = value == null ? _ -> piece.label ? EMPTY : piece.text : value;
        }
        sources = found;
    }

    String of(Exchange exchange) {
        StringBuilder text = new StringBuilder();
        for (MetadataValue source : sources) {
            String value = source.of(exchange);
            text.append(value == null ? EMPTY : value);
        }
        return text.toString();
    }
}
