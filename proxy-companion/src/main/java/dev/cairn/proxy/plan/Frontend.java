package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import org.jspecify.annotations.Nullable;

/** An address and port at which a service is found. */
public record Frontend(Kind kind, Place place) {
    /** What an address is to a service; this decides which policy holds. */
    public enum Kind {
        CLUSTER_IP("cluster IP"),
        LOAD_BALANCER("load-balancer IP"),
        EXTERNAL_IP("external IP"),
        NODE_PORT("node port");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * What a packet is known by; no two frontends have the same.
     *
     * @param address null for a node port
     */
    public record Place(IpFamily family, @Nullable Address address, Protocol protocol, int port) {
        @Override
        public String toString() {
            String where = address == null ? (family == IpFamily.IPV4 ? "*:" : "[*]:") + port : new Endpoint(address, port).toString();
            return where + "/" + protocol;
        }
    }

    public boolean isExternal() {
        return kind != Kind.CLUSTER_IP;
    }

    @Override
    public String toString() {
        return kind + " " + place;
    }
}
