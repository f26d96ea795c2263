package dev.cairn.chain;

/** How a query came in, as metrics and logs tell it. */
public enum Protocol {
    UDP("udp"),
    TCP("tcp");

    private final String label;

    Protocol(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
