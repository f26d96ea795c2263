package dev.cairn.listen.quic;

/** How streams and connections end (RFC 9250 section 4.3). */
enum DoqCode {
    NO_ERROR("0x0"),
    INTERNAL_ERROR("0x1"),
    PROTOCOL_ERROR("0x2"),
    REQUEST_CANCELLED("0x3"),
    EXCESSIVE_LOAD("0x4");

    private final String label;

    DoqCode(String label) {
        this.label = label;
    }

    /** As metrics tell it. */
    String label() {
        return label;
    }

    int number() {
        return label.charAt(2) - '0';
    }
}
