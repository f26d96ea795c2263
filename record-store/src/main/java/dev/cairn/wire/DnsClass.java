package dev.cairn.wire;

/** Record classes by number (RFC 1035 section 3.2.4). */
public final class DnsClass {
    public static final int IN = 1;
    public static final int CH = 3;
    public static final int HS = 4;
    public static final int NONE = 254;
    public static final int ANY = 255;

    private DnsClass() {}

    /** The mnemonic, or {@code CLASS123} for one that has none here (RFC 3597 section 5). */
    public static String toText(int number) {
        return switch (number) {
            case IN -> "IN";
            case CH -> "CH";
            case HS -> "HS";
            case NONE -> "NONE";
            case ANY -> "ANY";
            default -> "CLASS" + number;
        };
    }
}
