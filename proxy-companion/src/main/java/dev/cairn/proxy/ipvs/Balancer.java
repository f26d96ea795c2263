package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.plan.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The kernel's IPVS and the link that has the addresses of services. */
interface Balancer extends AutoCloseable {
    String LINK = "kube-ipvs0";

    /** All virtual servers by address, whoever made them. */
    Map<ServerKey, Server> servers() throws NetlinkException;

    /** Those of some virtual servers that are there; cheaper than all if they are few. */
    Map<ServerKey, Server> servers(List<ServerKey> keys) throws NetlinkException;

    /** Whether packets to all of these addresses are for this node. */
    boolean areLocal(Set<Address> addresses) throws NetlinkException;

    /** The real servers of a virtual server; none if there is no such. */
    Map<Endpoint, RealServer> reals(ServerKey key) throws NetlinkException;

    /** The addresses of the link; none if there is no such link. */
    Set<Address> addresses() throws NetlinkException;

    /** Makes the link if there is none. */
    void makeLink() throws NetlinkException;

    /** Removes the link with all its addresses; whether there was one. */
    boolean removeLink() throws NetlinkException;

    /**
     * Makes changes in their order. What is there already, or gone already, is as good. All are tried.
     *
     * @throws Refusal for the first that the kernel refused
     */
    void make(List<? extends Change> changes) throws NetlinkException, Refusal;

    /** Sets how long connections are remembered; a time of 0 is left as it is. */
    void timeouts(int tcpSeconds, int tcpFinSeconds, int udpSeconds) throws NetlinkException;

    @Override
    void close();

    /** A change that the kernel refused. */
    final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Change change;
        private final int errno;

        Refusal(Change change, int errno) {
            super(new NetlinkException(change.toString(), errno).getMessage());
            this.change = change;
            this.errno = errno;
        }

        Change change() {
            return change;
        }

        int errno() {
            return errno;
        }
    }
}
