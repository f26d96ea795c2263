package dev.cairn.proxy.nft;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** The comment of a rule of ours: a sum of the text that it was written as, which the kernel does not keep. What replaces the rule lacks it. */
public final class RuleComment {
    private static final String BEFORE = " comment \"";

    private RuleComment() {}

    static String of(String rule) {
        return "cairn-" + Long.toHexString(sum(rule.getBytes(StandardCharsets.UTF_8)));
    }

    /** A rule with its comment, as nft reads it. */
    public static String with(String rule) {
        return rule + BEFORE + of(rule) + "\"";
    }

    /** Whether a line of a listing is a rule, as far as its comment tells. */
    public static boolean marks(String rule, String line) {
        return line.endsWith(BEFORE + of(rule) + "\"");
    }

    static long sum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return sum.getValue();
    }
}
