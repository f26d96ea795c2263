package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Elements as {@code nft} writes them, for people. */
final class ElementText {
    /** Elements in one command: nft is slow with very long ones. */
    private static final int BATCH = 500;

    private ElementText() {}

    /** The commands that would do the same. */
    static String script(List<ElementChange> changes) {
        StringBuilder script = new StringBuilder();
        for (ElementChange change : changes) {
            List<String> texts = new ArrayList<>();
            change.elements().forEach((key, value) -> texts.add(change.adds()
                    ? element(change.set(), change.family(), key, value) : key(change.set(), change.family(), key)));
            for (int from = 0; from < texts.size(); from += BATCH) {
                script.append(change.adds() ? "add" : "delete").append(" element ").append(Table.of(change.family())).append(' ')
                        .append(change.set().text()).append(" { ")
                        .append(String.join(", ", texts.subList(from, Math.min(from + BATCH, texts.size())))).append(" }\n");
            }
        }
        return script.toString();
    }

    static String element(NftSet set, IpFamily family, Packed key, Packed value) {
        return set.isMap() ? key(set, family, key) + " : " + value(set, family, value) : key(set, family, key);
    }

    static String key(NftSet set, IpFamily family, Packed key) {
        if (!set.hasRanges()) {
            return fields(set.keyFields(), family, key);
        }
        int half = key.length() / 2;
        List<NftSet.Field> before = set.keyFields().subList(0, set.keyFields().size() - 1);
        int from = before.stream().mapToInt(field -> field.size(family)).sum();
        String range = range(key.bytes(from, half), key.bytes(half + from, 2 * half));
        return before.isEmpty() ? range : fields(before, family, Packed.of(key.bytes(0, from))) + " . " + range;
    }

    static String value(NftSet set, IpFamily family, Packed value) {
        if (set.isVerdict()) {
            return value.equals(Packed.EMPTY) ? "drop" : "goto " + value.text();
        }
        return fields(set.valueFields(), family, value);
    }

    private static String fields(List<NftSet.Field> fields, IpFamily family, Packed packed) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        for (NftSet.Field field : fields) {
            text.append(at == 0 ? "" : " . ").append(switch (field) {
                case ADDRESS -> Address.of(packed.bytes(at, at + field.size(family))).toString();
                case PROTOCOL -> protocol(packed.byteAt(at));
                case PORT -> Integer.toString(packed.portAt(at));
                case NUMBER -> Integer.toUnsignedString(packed.numberAt(at));
            });
            at += field.size(family);
        }
        return text.toString();
    }

    private static String protocol(int number) {
        return switch (number) {
            case 6 -> "tcp";
            case 17 -> "udp";
            case 132 -> "sctp";
            default -> Integer.toString(number);
        };
    }

    /** A range of one address is that address; one that is no network, which others may have put there, is written with both ends. */
    private static String range(byte[] first, byte[] last) {
        BigInteger difference = new BigInteger(1, first).xor(new BigInteger(1, last));
        int bits = difference.bitLength();
        Address from = Address.of(first);
        if (bits == 0) {
            return from.toString();
        }
        boolean network = difference.bitCount() == bits && new BigInteger(1, first).and(difference).signum() == 0;
        return network ? new AddressRange(from, 8 * first.length - bits).toString() : from + "-" + Address.of(last);
    }
}
