package dev.cairn.expression;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.AddressText;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Network;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The functions that tell of the query. */
final class QueryWords {
    private static final Map<String, Term> WORDS = Map.ofEntries(
            word("type", Kind.STRING, (exchange, _) -> DnsType.toText(exchange.query().type())),
            word("name", Kind.STRING, (exchange, _) -> exchange.query().nameText()),
            word("class", Kind.STRING, (exchange, _) -> DnsClass.toText(exchange.query().dnsClass())),
            word("proto", Kind.STRING, (exchange, _) -> exchange.protocol().label()),
            word("client_ip", Kind.STRING, (exchange, _) -> address(exchange, exchange.clientAddress())),
            word("port", Kind.STRING, (exchange, _) -> Integer.toString(exchange.clientPort())),
            word("server_ip", Kind.STRING, (exchange, _) -> address(exchange, exchange.localAddress())),
            word("server_port", Kind.STRING, (exchange, _) -> Integer.toString(exchange.localPort())),
            word("size", Kind.INT, (exchange, _) -> (long) exchange.query().length()),
            word("id", Kind.INT, (exchange, _) -> (long) exchange.query().id()),
            word("opcode", Kind.INT, (exchange, _) -> (long) (exchange.query().flags() & HeaderFlag.OPCODE_MASK) >> 11),
            word("do", Kind.BOOL, (exchange, _) -> exchange.query().dnssecOk()),
            word("bufsize", Kind.INT, (exchange, _) -> exchange.protocol() == Protocol.UDP ? (long) exchange.query().udpSize() : 0xffffL));
    private static final Set<String> WITH_ARGUMENTS = Set.of("incidr", "metadata", "group");

    private QueryWords() {}

    private static Map.Entry<String, Term> word(String name, Kind kind, Code code) {
        return Map.entry(name, new Term(kind, code, null, name));
    }

    private static String address(Exchange exchange, byte[] bytes) {
        return AddressText.of(Arrays.copyOf(bytes, exchange.addressLength()));
    }

    static boolean isKnown(String name) {
        return WORDS.containsKey(name) || WITH_ARGUMENTS.contains(name);
    }

    static @Nullable Term of(String name) {
        return WORDS.get(name);
    }

    static List<String> names() {
        return WORDS.keySet().stream().sorted().toList();
    }

    /** {@code incidr(ip, cidr)}; an address of the query and a constant network are compared as bytes. */
    static Term inCidr(Term ip, Term cidr) {
        if (!(cidr.constant() instanceof String text)) {
            return Term.of(Kind.BOOL, (exchange, frame) ->
                    contains(network(String.valueOf(cidr.code().run(exchange, frame))), String.valueOf(ip.code().run(exchange, frame))));
        }
        Network network = network(text);
        Code code = switch (String.valueOf(ip.call())) {
            case "client_ip" -> (exchange, _) -> network.contains(exchange.clientAddress(), exchange.addressLength());
            case "server_ip" -> (exchange, _) -> network.contains(exchange.localAddress(), exchange.addressLength());
            default -> (exchange, frame) -> contains(network, String.valueOf(ip.code().run(exchange, frame)));
        };
        return Term.of(Kind.BOOL, code);
    }

    private static Network network(String text) {
        Network network = text.indexOf('/') < 0 ? null : Network.parse(text);
        if (network == null) {
            throw new EvaluationFailure("\"" + text + "\" is not a network; write one such as 10.0.0.0/8");
        }
        return network;
    }

    private static boolean contains(Network network, String ip) {
        byte[] address = dev.cairn.wire.IpAddress.parse(ip);
        if (address == null) {
            throw new EvaluationFailure("\"" + ip + "\" is not an address");
        }
        return network.contains(address, address.length);
    }

    /** {@code type()} compared with names of types, as numbers; null if one of them is no type. */
    static @Nullable Code typeIn(List<?> names) {
        int[] types = new int[names.size()];
        for (int i = 0; i < types.length; i++) {
            types[i] = names.get(i) instanceof String name ? DnsType.fromText(name) : -1;
            // The texts are compared, so only those count that a type really has.
            if (types[i] < 0 || !DnsType.toText(types[i]).equals(names.get(i))) {
                return null;
            }
        }
        return (exchange, _) -> {
            for (int type : types) {
                if (exchange.query().type() == type) {
                    return true;
                }
            }
            return false;
        };
    }

    /** A metadata label. Finds its source when the block starts, before any query. */
    static final class Label implements Code {
        private final String name;
        private @Nullable MetadataValue source;

        Label(String name) {
            this.name = name;
        }

        void bind(Function<String, @Nullable MetadataValue> metadata) {
            source = metadata.apply(name);
        }

        @Override
        public Object run(Exchange exchange, Frame frame) {
            MetadataValue from = source;
            String value = from == null ? null : from.of(exchange);
            return value == null ? "" : value;
        }
    }
}
