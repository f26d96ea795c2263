package dev.cairn.plugin.log;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.AddressText;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A format of query lines: literal text and places for what is known of a query. Immutable but for {@link #bind}. */
final class LineFormat {
    static final String COMMON =
            "{remote}:{port} - {>id} \"{type} {class} {name} {proto} {size} {>do} {>bufsize}\" {rcode} {>rflags} {rsize} {duration}";
    static final String COMBINED = COMMON + " \"{>opcode}\"";

    /** What stands in place of what is not known. */
    private static final String EMPTY = "-";

    private static final int NANO_DIGITS = 100_000_000;

    private static final Map<String, Piece> PLACES = Map.ofEntries(
            Map.entry("{type}", (to, exchange) -> to.append(DnsType.toText(exchange.query().type()))),
            Map.entry("{name}", (to, exchange) -> to.append(exchange.query().nameText())),
            Map.entry("{class}", (to, exchange) -> to.append(DnsClass.toText(exchange.query().dnsClass()))),
            Map.entry("{proto}", (to, exchange) -> to.append(exchange.protocol().label())),
            Map.entry("{size}", (to, exchange) -> to.append(exchange.query().length())),
            Map.entry("{remote}", (to, exchange) -> AddressText.appendBracketed(to, exchange.clientAddress(), exchange.addressLength())),
            Map.entry("{port}", (to, exchange) -> to.append(exchange.clientPort())),
            Map.entry("{local}", (to, exchange) -> AddressText.appendBracketed(to, exchange.localAddress(), exchange.addressLength())),
            Map.entry("{>id}", (to, exchange) -> to.append(exchange.query().id())),
            Map.entry("{>opcode}", (to, exchange) -> to.append(opcode(exchange))),
            Map.entry("{>do}", (to, exchange) -> to.append(exchange.query().dnssecOk())),
            Map.entry("{>bufsize}", (to, exchange) -> to.append(bufferSize(exchange))),
            Map.entry("{rcode}", (to, exchange) -> to.append(isReplied(exchange) ? rcode(exchange) : EMPTY)),
            Map.entry("{rsize}", (to, exchange) -> to.append(exchange.replyLength())),
            Map.entry("{duration}", (to, exchange) -> appendSeconds(to, exchange.durationNanos()).append('s')),
            Map.entry("{>rflags}",
                    (to, exchange) -> to.append(isReplied(exchange) ? HeaderFlag.toText(exchange.replyFlags()) : EMPTY)));

    private final Piece[] pieces;

    /** Appends one part of a line. */
    private interface Piece {
        void append(StringBuilder to, Exchange exchange);
    }

    private LineFormat(List<Piece> pieces) {
        this.pieces = pieces.toArray(Piece[]::new);
    }

    static LineFormat parse(String format) {
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        int close;
        while ((close = format.indexOf('}', from)) >= 0) {
            int open = format.lastIndexOf('{', close);
            Piece place = open < from ? null : place(format.substring(open, close + 1));
            literal(pieces, format.substring(from, place == null ? close + 1 : open));
            if (place != null) {
                pieces.add(place);
            }
            from = close + 1;
        }
        literal(pieces, format.substring(from));
        return new LineFormat(pieces);
    }

    private static @Nullable Piece place(String text) {
        return text.startsWith("{/") ? new Label(text.substring(2, text.length() - 1)) : PLACES.get(text);
    }

    private static void literal(List<Piece> pieces, String text) {
        if (!text.isEmpty()) {
            pieces.add((to, _) -> to.append(text));
        }
    }

    /** Finds the sources of metadata labels; to be called before the first line is made. */
    void bind(Function<String, @Nullable MetadataValue> sources) {
        for (Piece piece : pieces) {
            if (piece instanceof Label label) {
                label.bind(sources);
            }
        }
    }

    void append(StringBuilder to, Exchange exchange) {
        for (Piece piece : pieces) {
            piece.append(to, exchange);
        }
    }

    /** A dropped query has a code and flags that nobody saw. */
    static boolean isReplied(Exchange exchange) {
        return exchange.replyLength() > 0;
    }

    static String rcode(Exchange exchange) {
        String text = Rcode.toText(exchange.answer().rcode());
        return text.startsWith("RCODE") ? text.substring("RCODE".length()) : text;
    }

    static int opcode(Exchange exchange) {
        return (exchange.query().flags() & HeaderFlag.OPCODE_MASK) >>> 11;
    }

    static int bufferSize(Exchange exchange) {
        return exchange.protocol() == Protocol.UDP ? exchange.query().udpSize() : 0xffff;
    }

    /** Seconds with as many decimals as needed, as Go prints a float. */
    static StringBuilder appendSeconds(StringBuilder to, long nanos) {
        to.append(nanos / 1_000_000_000);
        int rest = (int) (nanos % 1_000_000_000);
        if (rest > 0) {
            to.append('.');
        }
        for (int digit = NANO_DIGITS; rest > 0; digit /= 10) {
            to.append((char) ('0' + rest / digit));
            rest %= digit;
        }
        return to;
    }

    /** A place for metadata. What this plugin knows itself needs no other to provide it. */
    private static final class Label implements Piece {
        private final String label;
        private volatile @Nullable MetadataValue source;

        Label(String label) {
            this.label = label;
        }

        void bind(Function<String, @Nullable MetadataValue> sources) {
            source = switch (label) {
                case "log/class" -> exchange -> ResponseType.of(exchange).responseClass().word();
                case "log/type" -> exchange -> ResponseType.of(exchange).name();
                default -> sources.apply(label);
            };
        }

        @Override
        public void append(StringBuilder to, Exchange exchange) {
            MetadataValue from = source;
            String value = from == null ? null : from.of(exchange);
            to.append(value == null ? EMPTY : value);
        }
    }
}
