package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointList;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.IpAddress;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * The services of each address, and the PTR records made of them when they are first asked for. One thread changes it, address by address and
 * in place; readers take no lock. An address costs about 25 bytes, and 200 more once it was asked for.
 */
final class PointerIndex {
    private static final ServiceSlot[] NOBODY = {};
    /** What addresses of a block have in common. */
    private static final long BLOCK = ~0xffL;

    private final int ttl;
    private final Family ipv4 = new Family(WireName.parse("in-addr.arpa."), 4, 8);
    private final Family ipv6 = new Family(WireName.parse("ip6.arpa."), 32, 4);

    /**
     * The addresses of a family. A value of the table is the {@code ServiceSlot} that has the address, an array of several, or a
     * {@code Pointer} that was made from them.
     */
    private static final class Family {
        private final WireName zone;
        private final int parts;
        private final int partBits;
        private final AddressTable services;
        /** The blocks that have addresses, which differ in the last byte only: by the one that ends with 0, in order, for those who ask. */
        private final ConcurrentSkipListSet<Address> blocks = new ConcurrentSkipListSet<>();
        /** A {@code Block} for each, for the thread that changes the index. */
        private final AddressTable counts;

        Family(WireName zone, int parts, int partBits) {
            this.zone = zone;
            this.parts = parts;
            this.partBits = partBits;
            this.services = new AddressTable(parts == 4 ? 1 : 4);
            this.counts = new AddressTable(parts == 4 ? 1 : 4);
        }
    }

    /** How many addresses there are in a block. */
    private static final class Block {
        private int addresses;
    }

    PointerIndex(int ttl) {
        this.ttl = ttl;
    }

    private @Nullable Family family(QueryView query) {
        if (query.isWithin(ipv4.zone)) {
            return ipv4;
        }
        return query.isWithin(ipv6.zone) ? ipv6 : null;
    }

    /** The PTR records of the question's name. */
    @Nullable RrSet find(QueryView query) {
        Family family = family(query);
        if (family == null || query.labelCount() != family.parts + 2 || !isNumbers(family, query)) {
            return null;
        }
        int half = family == ipv6 ? 16 : 0;
        long high = number(family, query, half, half);
        long low = number(family, query, 0, family.parts - half);
        Object value = family.services.get(high, low);
        if (value == null || (value instanceof Pointer made && made.isCurrent())) {
            return value == null ? null : ((Pointer) value).records();
        }
        Pointer made = point(family, high, low, slots(value));
        family.services.replace(high, low, value, made);
        return made.records();
    }

    /** The services that have an address, their own or a ready endpoint's. */
    ServiceSlot[] servicesAt(Address address) {
        Object value = family(address.isIpv4()).services.get(address.high(), address.low());
        return value == null ? NOBODY : slots(value);
    }

    /** Whether there are PTR records below the question's name, which then exists (RFC 8020). */
    boolean hasBelow(QueryView query) {
        Family family = family(query);
        int given = query.labelCount() - 2;
        if (family == null || given >= family.parts || !isNumbers(family, query)) {
            return false;
        }
        if (family == ipv6 && given == family.parts - 1) {
            return hasNibbleBelow(query);
        }
        byte[] prefix = new byte[family == ipv4 ? 4 : 16];
        for (int i = 0; i < given; i++) {
            int part = part(family, query, given - 1 - i);
            prefix[i * family.partBits / 8] |= (byte) (family == ipv6 && i % 2 == 0 ? part << 4 : part);
        }
        Address next = family.blocks.ceiling(Address.of(prefix));
        return next != null && startsWith(next.bytes(), prefix, given * family.partBits);
    }

    /** All but the last nibble are given, which blocks do not tell. */
    private boolean hasNibbleBelow(QueryView query) {
        long high = number(ipv6, query, 15, 16);
        long low = number(ipv6, query, 0, 15) << 4;
        for (int nibble = 0; nibble < 16; nibble++) {
            if (ipv6.services.get(high, low | nibble) != null) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNumbers(Family family, QueryView query) {
        for (int i = 0; i < query.labelCount() - 2; i++) {
            if (part(family, query, i) < 0) {
                return false;
            }
        }
        return true;
    }

    /** What {@code count} labels from {@code first} on spell, the least significant first. */
    private static long number(Family family, QueryView query, int first, int count) {
        long number = 0;
        for (int i = count - 1; i >= 0; i--) {
            number = number << family.partBits | part(family, query, first + i);
        }
        return number;
    }

    /** The number that a label spells, an octet in decimal or a nibble in hexadecimal; -1 if it is none, or not spelled as it should be. */
    private static int part(Family family, QueryView query, int label) {
        int at = query.labelAt(label);
        int length = query.name()[at];
        boolean octet = family.partBits == 8;
        if (length > (octet ? 3 : 1) || (length > 1 && query.name()[at + 1] == '0')) {
            return -1;
        }
        int value = 0;
        for (int i = 1; i <= length; i++) {
            int digit = Character.digit(query.name()[at + i], octet ? 10 : 16);
            if (digit < 0) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value > 255 ? -1 : value;
    }

    private static boolean startsWith(byte[] address, byte[] prefix, int bits) {
        int whole = bits / 8;
        return Arrays.equals(address, 0, whole, prefix, 0, whole) && (bits % 8 == 0 || (address[whole] & 0xf0) == (prefix[whole] & 0xf0));
    }

    private static ServiceSlot[] slots(Object value) {
        if (value instanceof ServiceSlot one) {
            return new ServiceSlot[] {one};
        }
        return value instanceof Pointer made ? made.slots() : (ServiceSlot[]) value;
    }

    private Pointer point(Family family, long high, long low, ServiceSlot[] slots) {
        Address address = Address.of(high, low, family == ipv4);
        @Nullable ServiceNames[] services = new @Nullable ServiceNames[slots.length];
        int[] seen = new int[slots.length];
        for (int i = 0; i < slots.length; i++) {
            services[i] = slots[i].names();
            seen[i] = ServiceNames.generation(services[i]);
        }
        Set<WireName> targets = targets(address, services);
        WireName name = IpAddress.reverseName(address.bytes());
        RrSet records = targets.isEmpty()
                ? null
                : RrSet.of(name, DnsType.PTR, DnsClass.IN, ttl, targets.stream().map(Rdata::name).toList());
        return new Pointer(slots, seen, records);
    }

    /** A cluster IP has one name, the first service's; an endpoint one for each service that has it. */
    private static Set<WireName> targets(Address address, @Nullable ServiceNames[] services) {
        Set<WireName> all = new LinkedHashSet<>();
        for (ServiceNames names : services) {
            ServiceShape shape = names == null ? null : names.shape();
            if (shape != null && !shape.headless() && shape.ips().contains(address)) {
                return Set.of(shape.owner());
            }
            if (shape != null) {
                shape.addNames(address, all);
            }
        }
        return all;
    }

    /** Tells that a service has other names than before; they are in its slot already. Costs what differs. */
    void changed(ServiceSlot slot, @Nullable ServiceShape before, @Nullable ServiceShape after) {
        List<Address> ips = after == null ? List.of() : after.ips();
        for (Address address : ips) {
            add(family(address.isIpv4()), address.high(), address.low(), slot);
        }
        SliceFact[] old = before == null ? ServiceShape.NO_SLICES : before.slices();
        SliceFact[] now = after == null ? ServiceShape.NO_SLICES : after.slices();
        for (int i = 0; i < now.length; i++) {
            if (!isAmong(now[i], old, i)) {
                addReady(now[i].endpoints(), slot);
            }
        }
        if (before == null) {
            return;
        }
        for (Address address : before.ips()) {
            if (!ips.contains(address)) {
                remove(address, slot, after);
            }
        }
        for (int i = 0; i < old.length; i++) {
            if (!isAmong(old[i], now, i)) {
                removeReady(old[i].endpoints(), slot, after);
            }
        }
    }

    /** Whether a slice has stayed the very same object, most likely at the same place. */
    @SuppressWarnings("ReferenceEquality") // equal would do as well, but costs a comparison of all endpoints
    private static boolean isAmong(SliceFact slice, SliceFact[] slices, int place) {
        if (place < slices.length && slices[place] == slice) {
            return true;
        }
        for (SliceFact other : slices) {
            if (other == slice) {
                return true;
            }
        }
        return false;
    }

    private void addReady(EndpointList endpoints, ServiceSlot slot) {
        for (int i = 0; i < endpoints.size(); i++) {
            if (endpoints.isReady(i)) {
                add(family(endpoints.isIpv4(i)), endpoints.high(i), endpoints.low(i), slot);
            }
        }
    }

    private void removeReady(EndpointList endpoints, ServiceSlot slot, @Nullable ServiceShape after) {
        for (int i = 0; i < endpoints.size(); i++) {
            if (endpoints.isReady(i)) {
                remove(endpoints.address(i), slot, after);
            }
        }
    }

    private Family family(boolean isIpv4) {
        return isIpv4 ? ipv4 : ipv6;
    }

    private void add(Family family, long high, long low, ServiceSlot slot) {
        Object value = family.services.putIfAbsent(high, low, slot);
        if (value == null) {
            addToBlock(family, high, low);
        } else if (!value.equals(slot)) {
            ServiceSlot[] slots = slots(value);
            if (!Arrays.asList(slots).contains(slot)) {
                ServiceSlot[] more = Arrays.copyOf(slots, slots.length + 1);
                more[slots.length] = slot;
                family.services.put(high, low, more);
            }
        }
    }

    private void remove(Address address, ServiceSlot slot, @Nullable ServiceShape after) {
        if (after != null && (after.ips().contains(address) || after.hasEndpoint(address))) {
            return;
        }
        Family family = family(address.isIpv4());
        Object value = family.services.own(address.high(), address.low());
        if (value == null) {
            return;
        }
        ServiceSlot[] left = Arrays.stream(slots(value)).filter(other -> other != slot).toArray(ServiceSlot[]::new);
        if (left.length == 0) {
            family.services.remove(address.high(), address.low());
            removeFromBlock(family, address.high(), address.low());
        } else {
            family.services.put(address.high(), address.low(), left.length == 1 ? left[0] : left);
        }
    }

    private void addToBlock(Family family, long high, long low) {
        Block block = (Block) family.counts.own(high, low & BLOCK);
        if (block == null) {
            block = new Block();
            family.counts.put(high, low & BLOCK, block);
            family.blocks.add(Address.of(high, low & BLOCK, family == ipv4));
        }
        block.addresses++;
    }

    private void removeFromBlock(Family family, long high, long low) {
        Block block = (Block) family.counts.own(high, low & BLOCK);
        if (block != null && --block.addresses == 0) {
            family.counts.remove(high, low & BLOCK);
            family.blocks.remove(Address.of(high, low & BLOCK, family == ipv4));
        }
    }
}
