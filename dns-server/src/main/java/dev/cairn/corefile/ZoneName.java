package dev.cairn.corefile;

import java.net.IDN;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks and normalizes domain names of the configuration. */
final class ZoneName {

    /** RFC 1035, 2.3.4. */
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_NAME = 255;

    private ZoneName() {
    }

    /** What is wrong with a name, or null if nothing is. */
    static @Nullable String wrong(String name) {
        if (name.isEmpty()) {
            return "the zone is empty: write . for the root zone, and see that variables are set";
        }
        String quoted = "zone \"" + name + "\" ";
        if (name.chars().anyMatch(c -> c > 126)) {
            return quoted + "is not ASCII: write: " + ascii(name);
        }
        int strange = firstStrange(name);
        if (strange >= 0) {
            return quoted + "has a '" + name.charAt(strange)
                + "': separate zones, ports and braces with spaces, and write zones as example.org";
        }
        return name.equals(".") ? null : wrongLabels(name, quoted);
    }

    private static int firstStrange(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c <= ' ' || "{}()\":,".indexOf(c) >= 0) {
                return i;
            }
        }
        return -1;
    }

    private static String ascii(String name) {
        try {
            return IDN.toASCII(name);
        } catch (IllegalArgumentException e) {
            return "the xn-- form of the name";
        }
    }

    private static @Nullable String wrongLabels(String name, String quoted) {
        int wire = 1;
        int label = 0;
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) != '.') {
                i = lastOfCharacter(name, i);
                if (i >= name.length()) {
                    return quoted + "ends within an escape: write \\\\ for a backslash";
                }
                label++;
                continue;
            }
            if (label == 0) {
                return quoted + "has an empty label: write one dot between labels and none before the first";
            }
            wire += label + 1;
            if (label > LONGEST_LABEL) {
                break;
            }
            label = 0;
        }
        if (label > LONGEST_LABEL) {
            return quoted + "has a label of " + label + " characters: at most " + LONGEST_LABEL + " are allowed";
        }
        wire += label == 0 ? 0 : label + 1;
        return wire > LONGEST_NAME ? "the zone is " + wire + " bytes long: at most " + LONGEST_NAME + " are allowed" : null;
    }

    /** Index of the last character of one that may be escaped, as {@code \.} or {@code \046}; behind the end if the escape is cut off. */
    private static int lastOfCharacter(String name, int i) {
        if (name.charAt(i) != '\\') {
            return i;
        }
        boolean decimal = i + 3 < name.length() && name.substring(i + 1, i + 4).chars().allMatch(c -> c >= '0' && c <= '9');
        return decimal ? i + 3 : i + 1;
    }

    /** The name in lower case with its last dot; only for names with nothing wrong. */
    static String normalize(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        int backslashes = 0;
        while (lower.endsWith(".") && lower.length() - 2 - backslashes >= 0 && lower.charAt(lower.length() - 2 - backslashes) == '\\') {
            backslashes++;
        }
        return lower.endsWith(".") && backslashes % 2 == 0 ? lower : lower + ".";
    }
}
