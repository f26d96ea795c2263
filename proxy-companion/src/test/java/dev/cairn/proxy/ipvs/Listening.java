package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.plan.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Passes everything on, and keeps what changes were made. */
record Listening(Balancer to, List<Change> made) implements Balancer {
    @Override
    public Map<ServerKey, Server> servers() throws NetlinkException {
        return to.servers();
    }

    @Override
    public Map<Endpoint, RealServer> reals(ServerKey key) throws NetlinkException {
        return to.reals(key);
    }

    @Override
    public Map<ServerKey, Server> servers(List<ServerKey> keys) throws NetlinkException {
        return to.servers(keys);
    }

    @Override
    public boolean areLocal(Set<Address> addresses) throws NetlinkException {
        return to.areLocal(addresses);
    }

    @Override
    public Set<Address> addresses() throws NetlinkException {
        return to.addresses();
    }

    @Override
    public void makeLink() throws NetlinkException {
        to.makeLink();
    }

    @Override
    public boolean removeLink() throws NetlinkException {
        return to.removeLink();
    }

    @Override
    public void make(List<? extends Change> changes) throws NetlinkException, Refusal {
        made.addAll(changes);
        to.make(changes);
    }

    @Override
    public void timeouts(int tcpSeconds, int tcpFinSeconds, int udpSeconds) throws NetlinkException {
        to.timeouts(tcpSeconds, tcpFinSeconds, udpSeconds);
    }

    @Override
    public void close() {
        to.close();
    }
}
