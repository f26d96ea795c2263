package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import java.util.Set;

/**
 * Tells which virtual servers are ours or a kube-proxy's, so that they may go: they have our flag, an address of our link, or a node port
 * of a kube-proxy.
 *
 * @param addresses those of the link
 */
record Ownership(Set<Address> addresses, Set<KubeProxySets.NodePort> nodePorts, IpvsOptions options) {
    boolean includes(ServerKey key, Server server) {
        Address address = key.at().address();
        boolean nodePort = nodePorts.contains(new KubeProxySets.NodePort(key.protocol(), key.at().port()));
        return !options.isExcluded(address) && (server.isOurs() || addresses.contains(address) || nodePort);
    }
}
