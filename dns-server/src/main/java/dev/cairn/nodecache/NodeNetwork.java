package dev.cairn.nodecache;

import dev.cairn.facts.Address;
import dev.cairn.log.Log;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.wire.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the node's network needs for the cache: addresses and rules. Guarded by its own lock, so that it is not set up while it is taken away. */
public final class NodeNetwork {
    private static final Log LOG = Log.server();

    private final List<Address> addresses;
    private final int port;
    private final @Nullable NodeInterface device;
    private final @Nullable NodeRules rules;
    private final CounterFamily errors;
    private boolean left;

    /**
     * Prepares; changes nothing yet.
     *
     * @param interfaceName empty if somebody else sees to the addresses
     * @param withRules whether to see to the rules
     * @param errors counts what went wrong by its type, as node-cache does
     */
    public NodeNetwork(List<Address> addresses, int port, int healthPort, String interfaceName, boolean withRules, CounterFamily errors) {
        this.addresses = List.copyOf(addresses);
        this.port = port;
        this.device = interfaceName.isEmpty() ? null : new NodeInterface(interfaceName, addresses);
        this.rules = withRules ? new NodeRules(addresses, port, healthPort) : null;
        this.errors = errors;
        List.of("iptables", "iptables_lock", "interface_add", "interface_check", "configmap").forEach(errors::with);
    }

    /** Gives the node the addresses, without which nobody can listen there. */
    public synchronized void ensureAddresses() {
        String wrong = left || device == null ? "" : device.ensure();
        if (!wrong.isEmpty()) {
            LOG.error("cannot add addresses: " + wrong);
            errors.with("interface_add").increment();
        }
    }

    /** Puts in the rules; only once somebody listens, for without a cache its addresses are better served by the cluster. */
    public synchronized void ensureRules() {
        String wrong = left || rules == null ? "" : rules.ensure();
        if (!wrong.isEmpty()) {
            LOG.error("cannot add rules: " + wrong);
            errors.with(wrong.contains("holding the xtables lock") ? "iptables_lock" : "iptables").increment();
        }
    }

    /** Takes all away, unless another process listens at the addresses by now and needs it. For after our own sockets are closed. */
    public synchronized void leave() {
        left = true;
        if (isServedByAnother()) {
            LOG.info("another process serves the addresses: interface and rules are left to it");
            return;
        }
        LOG.info("Tearing down");
        if (rules != null) {
            rules.remove();
        }
        if (device != null) {
            device.remove();
        }
    }

    /** Asks the kernel, which knows the sockets of all containers on the node's network. */
    private boolean isServedByAnother() {
        for (Address address : addresses) {
            boolean ipv4 = address.isIpv4();
            String local = hex(address) + String.format(Locale.ROOT, ":%04X", port);
            try {
                for (String line : Files.readAllLines(Path.of(ipv4 ? "/proc/net/udp" : "/proc/net/udp6"))) {
                    String[] fields = line.strip().split("\\s+", 3);
                    if (fields.length == 3 && fields[1].equals(local)) {
                        return true;
                    }
                }
            } catch (IOException e) {
                LOG.warning("cannot see who listens: " + e.getMessage());
            }
        }
        return false;
    }

    /** As /proc/net writes addresses: words of four bytes in the machine's order, which is little-endian wherever this runs. */
    private static String hex(Address address) {
        byte[] bytes = address.bytes();
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < bytes.length; word += 4) {
            for (int i = 3; i >= 0; i--) {
                text.append(String.format(Locale.ROOT, "%02X", Bytes.u8(bytes, word + i)));
            }
        }
        return text.toString();
    }
}
