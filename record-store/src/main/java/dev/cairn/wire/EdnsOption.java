package dev.cairn.wire;

/** Codes of EDNS options (RFC 6891 section 6.1.2). */
public final class EdnsOption {
    public static final int CLIENT_SUBNET = 8; // RFC 7871
    public static final int PADDING = 12; // RFC 7830
    public static final int EXTENDED_ERROR = 15; // RFC 8914

    private EdnsOption() {}
}
