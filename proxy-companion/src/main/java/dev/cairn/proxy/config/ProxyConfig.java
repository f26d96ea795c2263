package dev.cairn.proxy.config;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the proxy by the names that KubeProxyConfiguration has for them, such as {@code clusterCIDR} or
 * {@code nftables.masqueradeAll}; lists are joined by commas. Immutable.
 */
public final class ProxyConfig {
    private static final Pattern TIME = Pattern.compile("([0-9.]+)(h|ms|m|s)");

    private static final int DEBUG = 4;
    private static final int MOST_OOM = 1000;

    private final Map<String, String> values;

    public ProxyConfig(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /** With some values replaced. */
    public ProxyConfig with(Map<String, String> others) {
        Map<String, String> all = new TreeMap<>(values);
        all.putAll(others);
        return new ProxyConfig(all);
    }

    Map<String, String> values() {
        return values;
    }

    public String text(String name, String otherwise) {
        String value = values.getOrDefault(name, "");
        return value.isEmpty() ? otherwise : value;
    }

    public boolean flag(String name, boolean otherwise) {
        String value = text(name, Boolean.toString(otherwise));
        return switch (value) {
            case "true", "1", "t" -> true;
            case "false", "0", "f" -> false;
            default -> throw new IllegalArgumentException(name + " \"" + value + "\" is neither true nor false");
        };
    }

    public List<String> list(String name) {
        List<String> items = new ArrayList<>();
        for (String item : text(name, "").split(",", -1)) {
            if (!item.isBlank()) {
                items.add(item.strip());
            }
        }
        return items;
    }

    /** A whole number that is not negative. */
    public int number(String name, int otherwise) {
        String value = text(name, Integer.toString(otherwise));
        if (!value.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(name + " \"" + value + "\" is not a number");
        }
        return Integer.parseInt(value);
    }

    /** A time as Kubernetes writes it, such as {@code 1h30m} or {@code 0.5s}. */
    public Duration duration(String name, Duration otherwise) {
        String value = text(name, "");
        if (value.isEmpty()) {
            return otherwise;
        }
        if (!value.matches("0|([0-9]+(\\.[0-9]+)?(h|ms|m|s))+")) {
            throw new IllegalArgumentException(name + " \"" + value + "\" is not a time: write it as 30s, 5m or 1h30m");
        }
        double nanos = 0;
        for (MatchResult part : TIME.matcher(value).results().toList()) {
            nanos += Double.parseDouble(part.group(1)) * switch (part.group(2)) {
                case "h" -> 3600e9;
                case "m" -> 60e9;
                case "s" -> 1e9;
                default -> 1e6;
            };
        }
        return Duration.ofNanos(Math.round(nanos));
    }

    /** Whether the log is JSON, and not text. */
    public boolean logsJson() {
        String format = text("logging.format", "text");
        if (!format.equals("text") && !format.equals("json")) {
            throw new IllegalArgumentException("logging format \"" + format + "\" is unknown: write text or json");
        }
        return format.equals("json");
    }

    /** Whether what helps to find mistakes is logged, too; by the numbers that Kubernetes has for it. */
    public boolean debugs() {
        return number("logging.verbosity", 0) >= DEBUG;
    }

    public ProxyMode mode() {
        return ProxyMode.parse(text("mode", ""));
    }

    /** A bit of the packet mark; kube-proxy's is the 14th. */
    public int masqueradeBit() {
        String bit = text(mode() == ProxyMode.NFTABLES ? "nftables.masqueradeBit" : "iptables.masqueradeBit", "14");
        if (!bit.matches("[0-9]{1,2}") || Integer.parseInt(bit) > 31) {
            throw new IllegalArgumentException("masqueradeBit " + bit + " is not a bit: write a number from 0 to 31");
        }
        return Integer.parseInt(bit);
    }

    /** How much rather than others the process shall be spared when memory runs out, from -1000 to 1000; null to leave it. */
    public @Nullable String oomScore() {
        String score = text("oomScoreAdj", "");
        if (score.isEmpty()) {
            return null;
        }
        if (!score.matches("-?[0-9]{1,4}") || Math.abs(Integer.parseInt(score)) > MOST_OOM) {
            throw new IllegalArgumentException("oomScoreAdj \"" + score + "\" is out of bounds: write a number from -1000 to 1000");
        }
        return score;
    }

    /** The address that the node is to be known by, whatever its object says; null for none. */
    public @Nullable Address bindAddress() {
        String text = text("bindAddress", "");
        Address address = Address.parse(text);
        if (address == null && !text.isEmpty()) {
            throw new IllegalArgumentException("bindAddress \"" + text + "\" is not an address");
        }
        return address == null || (address.high() == 0 && address.low() == 0) ? null : address;
    }

    /** Which of the two kinds of iptables is used, or {@code auto} for the one that the machine uses already. */
    public String iptablesVariant() {
        String variant = text("iptables.variant", "auto");
        if (!List.of("auto", "nft", "legacy", "plain").contains(variant)) {
            throw new IllegalArgumentException("iptables variant \"" + variant + "\" is unknown: write nft, legacy, plain or auto");
        }
        return variant;
    }

    /** For how long a UDP client may be silent in mode userspace. By default about as long as the kernel keeps a flow. */
    public Duration udpIdle() {
        Duration time = duration("udpIdleTimeout", Duration.ofSeconds(60));
        if (time.isZero()) {
            throw new IllegalArgumentException("udpIdleTimeout \"0\" is too short: write a time such as 60s");
        }
        return time;
    }

    /**
     * What holds for all services.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public TrafficOptions traffic(NodeView node) {
        boolean nft = mode() == ProxyMode.NFTABLES;
        List<String> addresses = list("nodePortAddresses");
        NodePortAddresses nodePorts = !addresses.isEmpty() ? NodePortAddresses.parse(addresses)
                : nft ? NodePortAddresses.PRIMARY : NodePortAddresses.ALL;
        boolean all = flag("masqueradeAll", flag((nft ? "nftables" : "iptables") + ".masqueradeAll", false));
        return new TrafficOptions(all, detector(node), nodePorts, List.of(), nft,
                (mode() == ProxyMode.IPTABLES || mode() == ProxyMode.USERSPACE) && flag("iptables.localhostNodePorts", true));
    }

    private LocalDetector detector(NodeView node) {
        String mode = text("detectLocalMode", "");
        return switch (mode) {
            case "", "ClusterCIDR" -> new LocalDetector.Ranges(list("clusterCIDR").stream().map(AddressRange::parse).toList());
            case "NodeCIDR" -> new LocalDetector.Ranges(node.podRanges());
            case "BridgeInterface" -> new LocalDetector.Interface(needed("detectLocal.bridgeInterface", mode), false);
            case "InterfaceNamePrefix" -> new LocalDetector.Interface(needed("detectLocal.interfaceNamePrefix", mode), true);
            default -> throw new IllegalArgumentException("detectLocalMode \"" + mode
                    + "\" is unknown: write ClusterCIDR, NodeCIDR, BridgeInterface or InterfaceNamePrefix");
        };
    }

    private String needed(String name, String mode) {
        String value = text(name, "");
        if (!value.matches("[^\\s/\"]{1,15}")) {
            throw new IllegalArgumentException("detectLocalMode " + mode + " needs the name of an interface in " + name);
        }
        return value;
    }
}
