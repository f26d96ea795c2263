package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.conntrack.FlowCleaner;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All of the kernel that the backend works with, found out and opened when first used. Used by one thread at a time. */
class Kernel implements AutoCloseable {
    private static final String PROBE_LINK = "cairn-probe0";

    private final Set<IpFamily> families;
    private final Tool tool = new Tool();
    private final ElementWriter.Sockets netfilter = new ElementWriter.Sockets();
    private @Nullable Balancer balancer;
    private @Nullable Helper helper;

    Kernel(Set<IpFamily> families) {
        this.families = Set.copyOf(families);
    }

    Balancer balancer() throws NetlinkException {
        if (balancer == null) {
            balancer = NetlinkBalancer.open();
        }
        return balancer;
    }

    /** Rules go into nftables if the kernel takes them, else into iptables. */
    Helper helper() throws ApplyFailure {
        if (helper == null) {
            String refused = refusal();
            helper = refused == null ? helpers().getFirst() : helpers().getLast();
            String lacking = refused == null ? null : lacking();
            if (lacking != null) {
                helper = null;
                throw new ApplyFailure("rules beside IPVS cannot be programmed: nftables: " + refused + "; iptables: " + lacking, true);
            }
        }
        return helper;
    }

    /** All that may ever have been used. */
    List<Helper> helpers() {
        return List.of(new NftHelper(tool, new NftSets(netfilter)),
                new IptablesHelper(tool, new Ipsets(netfilter), new SetSizes(netfilter)));
    }

    /** Why the kernel would not take our rules as nftables; null if it would. */
    private @Nullable String refusal() throws ApplyFailure {
        TrafficOptions plain = new TrafficOptions(true, LocalDetector.none(), NodePortAddresses.ALL, List.of(), false, false);
        Tool.Answer answer = tool.run(List.of("nft", "-c", "-f", "-"), NftHelper.script(HelperRules.of(families, plain, 14)));
        return answer.isGood() ? null : answer.text().lines().findFirst().orElse("no reason given");
    }

    private @Nullable String lacking() throws ApplyFailure {
        for (List<String> command : List.of(List.of("ipset", "list", "-n"),
                List.of("iptables", "-w", "5", "-t", "nat", "-S", "PREROUTING"))) {
            Tool.Answer answer = tool.run(command, "");
            if (!answer.isGood()) {
                return answer.text().lines().findFirst().orElse(command.getFirst() + " fails");
            }
        }
        return null;
    }

    /** Sets how long IPVS remembers, and makes the rules. */
    void prepare(IpvsOptions options, HelperRules rules) throws ApplyFailure, NetlinkException {
        balancer().timeouts((int) options.tcpTimeout().toSeconds(), (int) options.tcpFinTimeout().toSeconds(),
                (int) options.udpTimeout().toSeconds());
        helper().load(rules);
    }

    /** Why the kernel cannot do it; null if it can. Leaves nothing behind. */
    @Nullable String probe() {
        try (AddressLink link = new AddressLink(PROBE_LINK)) {
            balancer().servers();
            link.make();
            link.remove();
            helper();
            return null;
        } catch (NetlinkException e) {
            return failure(e).getMessage();
        } catch (ApplyFailure e) {
            return e.getMessage();
        }
    }

    /** A sentence on what the kernel said, with a way out. */
    static ApplyFailure failure(NetlinkException e) {
        String said = String.valueOf(e.getMessage());
        if (e.errno() == NetlinkException.EPERM) {
            return new ApplyFailure("not allowed to program IPVS: run as root, or give the container the capability NET_ADMIN", true);
        }
        if (e.errno() == NetlinkException.ENOENT && said.contains("family IPVS")) {
            return new ApplyFailure("the kernel has no IPVS: load the module ip_vs (modprobe ip_vs), or choose another mode", true);
        }
        if (e.errno() == NetlinkException.EOPNOTSUPP && said.contains("link")) {
            return new ApplyFailure("the kernel has no dummy links: load the module dummy (modprobe dummy), or choose another mode", true);
        }
        return new ApplyFailure(said, false);
    }

    /** Removes what is ours, by whichever process and whichever kind of rules. Where there is no IPVS there are at most rules. */
    List<String> cleanUp(IpvsOptions options) throws ApplyFailure {
        List<String> removed = new ArrayList<>();
        try {
            if (isLoaded()) {
                removed.addAll(removeServers(options));
            }
        } catch (NetlinkException e) {
            ApplyFailure failure = failure(e);
            if (!failure.isLasting()) {
                throw failure;
            }
        }
        for (Helper each : helpers()) {
            removed.addAll(each.cleanUp());
        }
        return removed;
    }

    /** Whether the kernel has IPVS at this moment. To ask by netlink would have it loaded. */
    boolean isLoaded() {
        return Files.exists(Path.of("/proc/net/ip_vs"));
    }

    /** The node ports of a kube-proxy that ran in this mode. */
    Set<KubeProxySets.NodePort> nodePortsOfKubeProxy() throws ApplyFailure {
        return new KubeProxySets(tool).nodePorts();
    }

    private List<String> removeServers(IpvsOptions options) throws ApplyFailure, NetlinkException {
        List<String> removed = new ArrayList<>();
        Set<Address> addresses = balancer().addresses();
        Ownership ours = new Ownership(addresses, nodePortsOfKubeProxy(), options);
        List<Change> changes = new ArrayList<>();
        balancer().servers().forEach((key, server) -> {
            if (ours.includes(key, server)) {
                changes.add(new Change.DeleteServer(key));
                removed.add("virtual server " + key);
            }
        });
        boolean kept = addresses.stream().anyMatch(options::isExcluded);
        if (kept) {
            addresses.stream().filter(address -> !options.isExcluded(address))
                    .forEach(address -> changes.add(new Change.DeleteAddress(address)));
        }
        try {
            balancer().make(changes);
        } catch (Balancer.Refusal e) {
            throw new ApplyFailure("IPVS refused " + e.getMessage(), false);
        }
        forget(changes);
        if (!kept && balancer().removeLink()) {
            removed.add("link " + Balancer.LINK);
        }
        return removed;
    }

    /**
     * What goes on by a virtual server that is gone leads nowhere. Once the connection tracker has forgotten it, its next packet goes where
     * new ones go: to the same endpoint, or to one that ends it.
     */
    void forget(List<Change> changes) {
        Set<Frontend.Place> places = new HashSet<>();
        for (Change change : changes) {
            if (change instanceof Change.DeleteServer(ServerKey key)) {
                Endpoint at = key.at();
                places.add(new Frontend.Place(IpFamily.of(at.address()), at.address(), key.protocol(), at.port()));
            }
        }
        FlowCleaner.forget(places);
    }

    @Override
    public void close() {
        netfilter.close();
        if (balancer != null) {
            balancer.close();
            balancer = null;
        }
    }
}
