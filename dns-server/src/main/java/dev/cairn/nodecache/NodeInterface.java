package dev.cairn.nodecache;

import dev.cairn.facts.Address;
import dev.cairn.log.Log;
import dev.cairn.nodecache.SystemCommand.Result;
import java.util.List;

/** The interface that has the cache's addresses: a dummy, or loopback where the kernel has no such. */
final class NodeInterface {
    private static final Log LOG = Log.server();
    private static final String LOOPBACK = "lo";

    private final String name;
    private final List<Address> addresses;
    private String device;

    NodeInterface(String name, List<Address> addresses) {
        this.name = name;
        this.addresses = List.copyOf(addresses);
        this.device = name;
    }

    /** Sees to it that the node has the addresses; returns what went wrong, empty if nothing did. */
    String ensure() {
        if (device.equals(name) && !exists()) {
            Result made = SystemCommand.run("ip", "link", "add", name, "type", "dummy");
            if (made.ok()) {
                LOG.info("Added interface - " + name);
            } else if (!exists()) {
                LOG.warning("interface " + name + " cannot be made (" + made.output() + "): the addresses are put on " + LOOPBACK
                        + " instead, which serves this node as well; load the module 'dummy' to have the interface");
                device = LOOPBACK;
            }
        }
        StringBuilder wrong = new StringBuilder();
        for (Address address : addresses) {
            Result added = SystemCommand.run(List.of("ip", "address", "add", prefix(address), "dev", device), "");
            if (!added.ok() && !added.output().contains("File exists") && !added.output().contains("already assigned")) {
                wrong.append(wrong.isEmpty() ? "" : "; ").append(prefix(address)).append(" on ").append(device).append(": ").append(added.output());
            }
        }
        return wrong.toString();
    }

    private boolean exists() {
        return SystemCommand.run("ip", "link", "show", "dev", name).ok();
    }

    private static String prefix(Address address) {
        return address + (address.isIpv4() ? "/32" : "/128");
    }

    /** Takes the addresses away. */
    void remove() {
        if (device.equals(name)) {
            SystemCommand.run("ip", "link", "delete", "dev", name);
        } else {
            addresses.forEach(address -> SystemCommand.run("ip", "address", "delete", prefix(address), "dev", device));
        }
    }
}
