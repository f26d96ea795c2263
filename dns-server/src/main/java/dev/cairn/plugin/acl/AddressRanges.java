package dev.cairn.plugin.acl;

import dev.cairn.wire.Network;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Addresses of one family as sorted ranges that do not overlap, in two flat arrays. Immutable. */
final class AddressRanges {
    private final int width;
    private final byte[] firsts;
    private final byte[] lasts;

    /**
     * @param width 4 or 16; networks of the other family are left out
     */
    AddressRanges(List<Network> networks, int width) {
        this.width = width;
        List<Network> sorted = new ArrayList<>(networks);
        sorted.removeIf(network -> network.first().length != width);
        sorted.sort(Comparator.comparing(Network::first, Arrays::compareUnsigned).thenComparing(Network::last, Arrays::compareUnsigned));
        byte[] from = new byte[width * sorted.size()];
        byte[] to = new byte[from.length];
        int end = 0;
        for (Network network : sorted) {
            boolean overlaps = end > 0 && compare(to, end - width, network.first(), width) >= 0;
            if (!overlaps) {
                System.arraycopy(network.first(), 0, from, end, width);
                end += width;
            }
            if (!overlaps || compare(to, end - width, network.last(), width) < 0) {
                System.arraycopy(network.last(), 0, to, end - width, width);
            }
        }
        firsts = Arrays.copyOf(from, end);
        lasts = Arrays.copyOf(to, end);
    }

    /** Whether the first bytes of {@code address}, as many as an address of the family has, are in a range. */
    boolean contains(byte[] address) {
        int low = 0;
        int high = firsts.length / width - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (compare(firsts, middle * width, address, width) > 0) {
                high = middle - 1;
            } else if (compare(lasts, middle * width, address, width) < 0) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    private static int compare(byte[] range, int at, byte[] address, int width) {
        return Arrays.compareUnsigned(range, at, at + width, address, 0, width);
    }
}
