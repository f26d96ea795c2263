package dev.cairn.cluster.control;

import dev.cairn.facts.Address;
import dev.cairn.wire.Network;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * A range from which addresses are given out.
 *
 * @param first its network address
 * @param prefix how many leading bits all its addresses share
 */
public record AddressRange(Address first, int prefix) {
    /** As in the API server's allocator: of a large IPv6 range, no more than this many addresses are given out. */
    private static final int MOST = 1 << 16;

    public AddressRange {
        Network network = Network.parse(first + "/" + prefix);
        if (network == null || !Arrays.equals(network.first(), first.bytes())) {
            throw new IllegalArgumentException(first + "/" + prefix + " is not a range of addresses");
        }
    }

    /**
     * Reads {@code ADDRESS/PREFIX}; bits behind the prefix are cleared.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static AddressRange parse(String text) {
        Network network = Network.parse(text);
        int slash = text.indexOf('/');
        if (network == null || slash < 0 || (network.first().length == 4 && text.indexOf(':') >= 0)) {
            throw new IllegalArgumentException("\"" + text + "\" is not a range of addresses: write ADDRESS/PREFIX, such as 10.96.0.0/12");
        }
        return new AddressRange(Address.of(network.first()), Integer.parseInt(text.substring(slash + 1)));
    }

    public IpFamily family() {
        return IpFamily.of(first);
    }

    public boolean contains(Address address) {
        byte[] low = first.bytes();
        byte[] bytes = address.bytes();
        if (low.length != bytes.length) {
            return false;
        }
        int bits = 8 * low.length - prefix;
        return new BigInteger(1, low).shiftRight(bits).equals(new BigInteger(1, bytes).shiftRight(bits));
    }

    /** Whether a service may have it: the network's own address and, with IPv4, the broadcast address are for nobody. */
    boolean isAssignable(Address address) {
        BigInteger offset = new BigInteger(1, address.bytes()).subtract(new BigInteger(1, first.bytes()));
        boolean broadcast = family() == IpFamily.IPV4 && offset.compareTo(BigInteger.valueOf(size())) > 0;
        return contains(address) && offset.signum() > 0 && !broadcast;
    }

    /** How many addresses a pool without such rules has, of which {@code at(-1)} is the first. */
    int wholeSize() {
        int bits = (family() == IpFamily.IPV4 ? 32 : 128) - prefix;
        return bits >= 16 ? MOST : 1 << bits;
    }

    /** How many addresses are given out: neither the network's own nor, with IPv4, the broadcast address. */
    int size() {
        int bits = (family() == IpFamily.IPV4 ? 32 : 128) - prefix;
        if (family() == IpFamily.IPV4) {
            return Math.clamp((1L << bits) - 2, 0, Integer.MAX_VALUE);
        }
        return bits >= 16 ? MOST - 1 : (1 << bits) - 1;
    }

    /**
     * How many addresses at the beginning are kept for those who choose one: min(max(16, size / 16), 256), of the whole range's size, and
     * none of a range smaller than 16 (kubernetes.io, "IP address ranges for Service Virtual IP assignment").
     */
    int band() {
        int bits = (family() == IpFamily.IPV4 ? 32 : 128) - prefix;
        long all = 1L << Math.min(bits, 40);
        return all < 16 ? 0 : Math.clamp(all / 16, 16, 256);
    }

    /** The address at a place from 0 to {@code size() - 1}; at 0 it is the one after the network's own. */
    Address at(int index) {
        byte[] bytes = first.bytes();
        byte[] sum = new BigInteger(1, bytes).add(BigInteger.valueOf(index + 1L)).toByteArray();
        // toByteArray is as short as the number allows, or a byte longer for the sign.
        int length = Math.min(sum.length, bytes.length);
        System.arraycopy(sum, sum.length - length, bytes, bytes.length - length, length);
        return Address.of(bytes);
    }

    @Override
    public String toString() {
        return first + "/" + prefix;
    }
}
