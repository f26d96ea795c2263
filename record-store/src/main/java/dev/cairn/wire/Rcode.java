package dev.cairn.wire;

import java.util.Locale;

/** Response codes by number (IANA registry); those over 15 need an OPT record to carry their upper bits. */
public final class Rcode {
    public static final int NOERROR = 0;
    public static final int FORMERR = 1;
    public static final int SERVFAIL = 2;
    public static final int NXDOMAIN = 3;
    public static final int NOTIMP = 4;
    public static final int REFUSED = 5;
    public static final int YXDOMAIN = 6;
    public static final int NOTAUTH = 9;
    public static final int BADVERS = 16;

    // Told in a TSIG record only (RFC 8945 section 3), where 16 stands for a bad signature.
    public static final int BADSIG = 16;
    public static final int BADKEY = 17;
    public static final int BADTIME = 18;
    public static final int BADTRUNC = 22;

    private static final String[] NAMES = {
        "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED", "YXDOMAIN", "YXRRSET", "NXRRSET", "NOTAUTH", "NOTZONE", "DSOTYPENI",
        "", "", "", "", "BADVERS", "BADKEY", "BADTIME", "BADMODE", "BADNAME", "BADALG", "BADTRUNC", "BADCOOKIE"
    };

    private Rcode() {}

    /** The mnemonic, or {@code RCODE123} for one that has none. */
    public static String toText(int rcode) {
        return rcode >= 0 && rcode < NAMES.length && !NAMES[rcode].isEmpty() ? NAMES[rcode] : "RCODE" + rcode;
    }

    /** The number of a mnemonic in any case; -1 if there is none. */
    public static int fromText(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        for (int i = 0; i < NAMES.length; i++) {
            if (!upper.isEmpty() && NAMES[i].equals(upper)) {
                return i;
            }
        }
        return -1;
    }
}
