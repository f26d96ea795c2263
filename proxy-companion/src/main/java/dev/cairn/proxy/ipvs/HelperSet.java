package dev.cairn.proxy.ipvs;

/** The sets that the rules beside IPVS look at. */
enum HelperSet {
    /** Places of cluster IPs. */
    CLUSTER("cluster-places", Kind.PLACE),
    /** Places for traffic from outside that may go anywhere, so that its answers must come back this way. */
    MASQUERADE("masquerade-places", Kind.PLACE),
    /** Places for traffic from outside that stays on the node and keeps its source. */
    LOCAL("local-places", Kind.PLACE),
    /** Those of the latter without an endpoint here, though elsewhere. */
    NO_LOCAL("no-local-places", Kind.PLACE),
    /** Places of cluster IPs whose traffic must stay on the node, where no endpoint is. */
    DROP("drop-places", Kind.PLACE),
    /** Places that not everybody may use, and who may. */
    FIREWALL("firewall-places", Kind.PLACE),
    ALLOW("allowed-sources", Kind.PLACE_RANGE),
    /** Endpoints of this node, which must not be answered by themselves. */
    HAIRPIN("hairpins", Kind.PLACE_ADDRESS),
    /** The addresses of our link. */
    ADDRESSES("service-addresses", Kind.ADDRESS),
    /** Where load balancers ask for health. */
    HEALTH("health-ports", Kind.PORT);

    /** What an element is. */
    enum Kind {
        PLACE,
        PLACE_RANGE,
        PLACE_ADDRESS,
        ADDRESS,
        PORT
    }

    private final String text;
    private final Kind kind;

    HelperSet(String text, Kind kind) {
        this.text = text;
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    /** Its name in the kernel, as far as it is the same for both families. No word of nft's. */
    String text() {
        return text;
    }
}
