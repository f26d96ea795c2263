package dev.cairn.proxy.ipvs;

import java.util.Locale;

/** The sets that the rules beside IPVS look at. */
enum HelperSet {
    /** Places of cluster IPs. */
    CLUSTER(Kind.PLACE),
    /** Places for traffic from outside that may go anywhere, so that its answers must come back this way. */
    MASQUERADE(Kind.PLACE),
    /** Places for traffic from outside that stays on the node and keeps its source. */
    LOCAL(Kind.PLACE),
    /** Those of the latter without an endpoint here, though elsewhere. */
    NO_LOCAL(Kind.PLACE),
    /** Places of cluster IPs whose traffic must stay on the node, where no endpoint is. */
    DROP(Kind.PLACE),
    /** Places that not everybody may use, and who may. */
    FIREWALL(Kind.PLACE),
    ALLOW(Kind.PLACE_RANGE),
    /** Endpoints of this node, which must not be answered by themselves. */
    HAIRPIN(Kind.PLACE_ADDRESS),
    /** The addresses of our link. */
    ADDRESSES(Kind.ADDRESS),
    /** Where load balancers ask for health. */
    HEALTH(Kind.PORT);

    /** What an element is. */
    enum Kind {
        PLACE,
        PLACE_RANGE,
        PLACE_ADDRESS,
        ADDRESS,
        PORT
    }

    private final Kind kind;

    HelperSet(Kind kind) {
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    /** A word for it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
