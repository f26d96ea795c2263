package dev.cairn.chain;

/** How a query came in, as metrics and logs tell it. */
public enum Protocol {
    UDP("udp"),
    TCP("tcp"),

    /** Comes in datagrams, so it has their name as in CoreDNS; but a reply of any size fits. */
    QUIC("udp");

    private final String label;

    Protocol(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
