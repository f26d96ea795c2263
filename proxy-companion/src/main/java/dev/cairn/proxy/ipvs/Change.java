package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.Endpoint;

/** A change to the kernel. Its text is what {@code ipvsadm} or {@code ip} would be given for it. */
sealed interface Change {
    /** Makes a virtual server, or changes how it balances. */
    record PutServer(ServerKey key, Server server, boolean isNew) implements Change {
        @Override
        public String toString() {
            return (isNew ? "-A " : "-E ") + key + " " + server;
        }
    }

    record DeleteServer(ServerKey key) implements Change {
        @Override
        public String toString() {
            return "-D " + key;
        }
    }

    /** Adds a real server, or changes its weight. */
    record PutReal(ServerKey key, Endpoint endpoint, int weight, boolean isNew) implements Change {
        @Override
        public String toString() {
            return (isNew ? "-a " : "-e ") + key + " -r " + endpoint + " -m -w " + weight;
        }
    }

    record DeleteReal(ServerKey key, Endpoint endpoint) implements Change {
        @Override
        public String toString() {
            return "-d " + key + " -r " + endpoint;
        }
    }

    /** Gives an address to our link. */
    record AddAddress(Address address) implements Change {
        @Override
        public String toString() {
            return "ip addr add " + address + (address.isIpv4() ? "/32" : "/128") + " dev " + Balancer.LINK;
        }
    }

    record DeleteAddress(Address address) implements Change {
        @Override
        public String toString() {
            return "ip addr del " + address + (address.isIpv4() ? "/32" : "/128") + " dev " + Balancer.LINK;
        }
    }
}
