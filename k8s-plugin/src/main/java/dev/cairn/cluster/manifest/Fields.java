package dev.cairn.cluster.manifest;

import dev.cairn.cluster.Names;
import dev.cairn.facts.Address;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fields that several kinds of objects have. */
final class Fields {
    private Fields() {}

    static Address address(YamlValue value) {
        Address address = Address.parse(value.text());
        if (address == null) {
            throw value.fault("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
        return address;
    }

    static List<Address> addresses(YamlValue value, String key) {
        return value.items(key).stream().map(Fields::address).toList();
    }

    /** TCP if it is absent. */
    static Protocol protocol(@Nullable YamlValue value) {
        if (value == null) {
            return Protocol.TCP;
        }
        return switch (value.text()) {
            case "TCP", "" -> Protocol.TCP;
            case "UDP" -> Protocol.UDP;
            case "SCTP" -> Protocol.SCTP;
            default -> throw value.fault("supported values: \"SCTP\", \"TCP\", \"UDP\"");
        };
    }

    /** The ports of a slice or an import. One without a number stands for all ports and is left out. */
    static List<PortFact> ports(YamlValue value, String key) {
        List<PortFact> ports = new ArrayList<>();
        for (YamlValue port : value.items(key)) {
            int number = port.port("port", 1, 0);
            if (number != 0) {
                ports.add(new PortFact(portName(port), protocol(port.get("protocol")), number));
            }
        }
        return ports;
    }

    static String portName(YamlValue port) {
        YamlValue name = port.get("name");
        if (name == null || name.text().isEmpty()) {
            return "";
        }
        String fault = Names.faultOfLabel(name.text());
        if (!fault.isEmpty()) {
            throw name.fault(fault);
        }
        return name.text();
    }
}
