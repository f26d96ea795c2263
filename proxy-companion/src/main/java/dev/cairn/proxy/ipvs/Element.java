package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.plan.Endpoint;
import java.util.List;

/**
 * An element of a set beside IPVS.
 *
 * @param fields address, protocol, port and the like, in the order that the set's kind has them
 */
record Element(HelperSet set, IpFamily family, List<String> fields) {
    Element {
        fields = List.copyOf(fields);
    }

    static Element place(HelperSet set, ServerKey key) {
        return new Element(set, IpFamily.of(key.at().address()),
                List.of(key.at().address().toString(), key.protocol().label(), Integer.toString(key.at().port())));
    }

    static Element allow(ServerKey key, String source) {
        return new Element(HelperSet.ALLOW, IpFamily.of(key.at().address()),
                List.of(key.at().address().toString(), key.protocol().label(), Integer.toString(key.at().port()), source));
    }

    static Element hairpin(ServerKey endpoint) {
        Endpoint at = endpoint.at();
        return new Element(HelperSet.HAIRPIN, IpFamily.of(at.address()),
                List.of(at.address().toString(), endpoint.protocol().label(), Integer.toString(at.port()), at.address().toString()));
    }

    /** As the tools print it: a range of one address is that address. */
    static String text(AddressRange range) {
        return range.prefix() == (range.family() == IpFamily.IPV4 ? 32 : 128) ? range.first().toString() : range.toString();
    }
}
