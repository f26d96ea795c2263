package dev.cairn.plugin.rewrite;

import dev.cairn.chain.Exchange;
import dev.cairn.plugin.MetadataValue;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an EDNS option is to say about a query. */
@FunctionalInterface
interface OptionData {
    /** The bytes; null if there is nothing to say. */
    byte @Nullable [] of(Exchange exchange);

    /** Whether the bytes may differ from one client to another. */
    default boolean tellsClient() {
        return true;
    }

    /** Finds sources of metadata; called before the first query. */
    default void bind(Function<String, @Nullable MetadataValue> metadata) {}

    static OptionData constant(byte[] bytes) {
        return new ForAll(_ -> bytes);
    }

    /** What is the same for all who ask the same. */
    record ForAll(OptionData data) implements OptionData {
        @Override
        public byte @Nullable [] of(Exchange exchange) {
            return data.of(exchange);
        }

        @Override
        public boolean tellsClient() {
            return false;
        }
    }

    /** The value of a metadata label. Finds its source when the block starts, before any query. */
    final class Label implements OptionData {
        private final String name;
        private @Nullable MetadataValue source;

        Label(String name) {
            this.name = name;
        }

        @Override
        public void bind(Function<String, @Nullable MetadataValue> metadata) {
            source = metadata.apply(name);
        }

        @Override
        public byte @Nullable [] of(Exchange exchange) {
            MetadataValue from = source;
            String value = from == null ? null : from.of(exchange);
            return value == null || value.isEmpty() ? null : value.getBytes(StandardCharsets.UTF_8);
        }
    }

    /**
     * The client's network (RFC 7871 section 6).
     *
     * @param v4 how many bits of an IPv4 address are told
     * @param v6 how many bits of an IPv6 address are told
     */
    record Subnet(int v4, int v6) implements OptionData {
        private static final int HEAD = 4;

        @Override
        public byte[] of(Exchange exchange) {
            int bits = exchange.addressLength() == 4 ? v4 : v6;
            byte[] data = new byte[HEAD + (bits + 7) / 8];
            data[1] = (byte) (exchange.addressLength() == 4 ? 1 : 2);
            data[2] = (byte) bits;
            System.arraycopy(exchange.clientAddress(), 0, data, HEAD, data.length - HEAD);
            if (bits % 8 != 0) {
                data[data.length - 1] &= (byte) (0xff << (8 - bits % 8));
            }
            return data;
        }
    }
}
