package dev.cairn.facts;

import java.util.Locale;

/** The transport of a service's port. */
public enum Protocol {
    TCP,
    UDP,
    SCTP;

    /** The label under which SRV records name it, without the underscore. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
