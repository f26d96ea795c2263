package dev.cairn.upstream;

/** How a question gets to an upstream, named as in CoreDNS's metrics. */
public enum Carrier {
    UDP(0, "udp", 8, 256, 64),
    TCP(1, "tcp", 1, 8, 16),
    TLS(2, "tcp-tls", 1, 8, 16),
    HTTPS(3, "https", 1, 64, 4),
    QUIC(4, "quic", 1, 64, 4);

    /** Numbers them from 0. */
    final int index;

    private final String label;
    final int links;
    final int perLink;
    final int maxLinks;

    /**
     * @param links how many links a lane has to an upstream before one is used again
     * @param perLink how many questions a link carries at once before another is opened
     * @param maxLinks the most links a lane has to an upstream; then they take more questions each
     */
    Carrier(int index, String label, int links, int perLink, int maxLinks) {
        this.index = index;
        this.label = label;
        this.links = links;
        this.perLink = perLink;
        this.maxLinks = maxLinks;
    }

    public String label() {
        return label;
    }

    boolean isEncrypted() {
        return this != UDP && this != TCP;
    }
}
