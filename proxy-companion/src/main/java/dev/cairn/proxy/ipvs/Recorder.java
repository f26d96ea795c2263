package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.Endpoint;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An empty kernel that takes everything and writes it down. Used by one thread. */
final class Recorder extends Kernel {
    private final StringBuilder addresses = new StringBuilder();
    private final StringBuilder servers = new StringBuilder();
    private final StringBuilder rules = new StringBuilder();
    private final StringBuilder settings = new StringBuilder();
    private final Balancer balancer = new Paper();
    private final Helper helper = new NftHelper(new Tool() {
        @Override
        Answer run(List<String> command, String input) {
            rules.append(input);
            return new Answer(command.contains("list") ? 1 : 0, "");
        }
    }, this::write);

    Recorder(Set<IpFamily> families) {
        super(families);
    }

    @Override
    Balancer balancer() {
        return balancer;
    }

    @Override
    Helper helper() {
        return helper;
    }

    @Override
    Set<KubeProxySets.NodePort> nodePortsOfKubeProxy() {
        return Set.of();
    }

    private void write(boolean add, Collection<Element> elements) {
        for (Element element : elements) {
            rules.append(add ? "add" : "delete").append(" element ").append(NftHelper.table(element.family())).append(' ')
                    .append(element.set().text()).append(" { ").append(String.join(" . ", element.fields())).append(" }\n");
        }
    }

    /** Settings come first. */
    void set(Map<String, String> wanted) {
        wanted.forEach((name, value) -> settings.append("sysctl -w ")
                .append(name.replace('/', '.')).append('=').append(value).append('\n'));
    }

    /** What would be given to sysctl, ip, ipvsadm-restore and nft. */
    String text() {
        return settings + "ip link add " + Balancer.LINK + " type dummy\n" + addresses
                + "# ipvsadm-restore\n" + servers + "# nft -f -\n" + rules;
    }

    private final class Paper implements Balancer {
        @Override
        public Map<ServerKey, Server> servers() {
            return Map.of();
        }

        @Override
        public Map<Endpoint, RealServer> reals(ServerKey key) {
            return Map.of();
        }

        @Override
        public Map<ServerKey, Server> servers(List<ServerKey> keys) {
            return Map.of();
        }

        @Override
        public boolean areLocal(Set<Address> all) {
            return all.isEmpty();
        }

        @Override
        public Set<Address> addresses() {
            return Set.of();
        }

        @Override
        public void makeLink() {}

        @Override
        public boolean removeLink() {
            return false;
        }

        @Override
        public void make(List<? extends Change> changes) {
            for (Change change : changes) {
                boolean address = change instanceof Change.AddAddress || change instanceof Change.DeleteAddress;
                (address ? addresses : servers).append(change).append('\n');
            }
        }

        @Override
        public void timeouts(int tcpSeconds, int tcpFinSeconds, int udpSeconds) {
            if (tcpSeconds + tcpFinSeconds + udpSeconds > 0) {
                settings.append("ipvsadm --set ")
                        .append(tcpSeconds).append(' ').append(tcpFinSeconds).append(' ').append(udpSeconds).append('\n');
            }
        }

        @Override
        public void close() {}
    }
}
