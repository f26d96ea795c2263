package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointList;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects the addresses of one family that a name stands for, each once and in their order, as bytes. Owned by one thread. */
final class AddressRecords {
    /** No answer has room for more. */
    static final int MOST_BYTES = 60_000;

    /** From so many on, those that are equal are found by a table. */
    private static final int FEW = 16;

    private final boolean ipv4;
    private final int width;
    private final int most;
    private byte[] bytes;
    private int count;
    /** Which address is at a place, plus one. */
    private int[] places = {};

    AddressRecords(boolean ipv4) {
        this.ipv4 = ipv4;
        width = ipv4 ? 4 : 16;
        most = MOST_BYTES / (RrSet.RECORD_HEAD + width);
        bytes = new byte[8 * width];
    }

    /** Adds the addresses of the endpoints that are ready. */
    void addReady(EndpointList endpoints) {
        for (int i = 0; i < endpoints.size(); i++) {
            if (endpoints.isReady(i) && endpoints.isIpv4(i) == ipv4) {
                makeRoom();
                endpoints.copyAddress(i, bytes, count * width);
                keepNew();
            }
        }
    }

    /** Adds an address, if it is of this family. */
    void add(Address address) {
        if (address.isIpv4() == ipv4) {
            makeRoom();
            address.copyTo(bytes, count * width);
            keepNew();
        }
    }

    private void makeRoom() {
        if ((count + 1) * width > bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
    }

    /** Keeps the address after the last one, if it is new and there are not too many. */
    private void keepNew() {
        if (count < most && (count < FEW ? isNew() : isNewInTable())) {
            count++;
        }
    }

    private boolean isNew() {
        for (int i = 0; i < count; i++) {
            if (areEqual(i, count)) {
                return false;
            }
        }
        return true;
    }

    private boolean areEqual(int i, int j) {
        return Arrays.equals(bytes, i * width, (i + 1) * width, bytes, j * width, (j + 1) * width);
    }

    private boolean isNewInTable() {
        if (count * 2 >= places.length) {
            places = new int[Integer.highestOneBit(count) * 8];
            for (int i = 0; i < count; i++) {
                places[place(i)] = i + 1;
            }
        }
        int place = place(count);
        boolean isNew = places[place] == 0;
        places[place] = isNew ? count + 1 : places[place];
        return isNew;
    }

    /** The place of an address, or of the one that is equal to it. */
    private int place(int i) {
        int mask = places.length - 1;
        int place = WireName.hash(bytes, i * width, width) & mask;
        while (places[place] != 0 && !areEqual(i, places[place] - 1)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    /** The records; null if there are none. */
    @Nullable RrSet set(WireName owner, int ttl) {
        return count == 0 ? null : RrSet.of(owner, ipv4 ? DnsType.A : DnsType.AAAA, ttl, count, width, bytes);
    }
}
