package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs {@code iptables-save} and {@code iptables-restore}. */
class IptablesRunner {
    /** How long the lock is waited for that programs hold in turn. */
    private static final String LOCK_SECONDS = "5";
    private static final int LOCKED = 4;
    private static final int CHAINS = 1000;
    private static final Pattern LINE = Pattern.compile("line:? ([0-9]+)");

    private final Tool tool;
    private @Nullable Variant plain;

    IptablesRunner() {
        this(List.of());
    }

    /** With words before each command, such as those that enter a namespace. */
    IptablesRunner(List<String> prefix) {
        tool = new Tool(prefix);
    }

    /** Of which kind the plain programs are; another is of its own. */
    Variant kind(Variant variant) throws ApplyFailure {
        if (variant != Variant.PLAIN) {
            return variant;
        }
        if (plain == null) {
            Tool.Answer answer = tool.run(List.of(variant.program(IpFamily.IPV4, "restore"), "--version"), "");
            plain = answer != null && answer.out().contains("nf_tables") ? Variant.NFT : Variant.LEGACY;
        }
        return plain;
    }

    /** Applies a script at once; one that is long in parts where that is faster. */
    void restore(Variant variant, IpFamily family, RestoreScript script) throws ApplyFailure {
        // Programs for nftables look through all chains of a run for each rule; those of the legacy kind write whole tables in each run.
        for (String text : kind(variant) == Variant.LEGACY ? List.of(script.text()) : script.texts(CHAINS)) {
            restore(variant, family, text);
        }
    }

    /** Applies a script; of each table all or nothing. */
    void restore(Variant variant, IpFamily family, String script) throws ApplyFailure {
        restore(variant, family, script, List.of("-w", LOCK_SECONDS, "--noflush"));
    }

    /** Has a script looked at as if it were to be applied. */
    void test(Variant variant, IpFamily family, String script) throws ApplyFailure {
        restore(variant, family, script, List.of("-w", LOCK_SECONDS, "--noflush", "--test"));
    }

    private void restore(Variant variant, IpFamily family, String script, List<String> options) throws ApplyFailure {
        String program = variant.program(family, "restore");
        List<String> words = new ArrayList<>(List.of(program));
        words.addAll(options);
        Tool.Answer answer = tool.run(words, script);
        if (answer == null) {
            throw missing(program);
        }
        if (answer.code() != 0) {
            throw failure(program, answer, script);
        }
    }

    /** What is there now. */
    Listing list(Variant variant, IpFamily family) throws ApplyFailure {
        String program = variant.program(family, "save");
        Tool.Answer answer = tool.run(List.of(program), "");
        if (answer == null) {
            throw missing(program);
        }
        if (answer.code() != 0) {
            throw failure(program, answer, "");
        }
        return Listing.parse(answer.out());
    }

    /** What is there now; null if the program is not here or does not work with this kernel. */
    @Nullable Listing listIfPossible(Variant variant, IpFamily family) throws ApplyFailure {
        Tool.Answer answer = tool.run(List.of(variant.program(family, "save")), "");
        return answer == null || answer.code() != 0 ? null : Listing.parse(answer.out());
    }

    /** Whether the kernel has the table in which destinations are changed. */
    boolean hasNat(Variant variant, IpFamily family) throws ApplyFailure {
        Tool.Answer answer = tool.run(List.of(variant.program(family, "save"), "-t", Table.NAT.toString()), "");
        return answer != null && answer.code() == 0;
    }

    private static ApplyFailure missing(String program) {
        return new ApplyFailure("cannot run " + program + ": install iptables 1.8 or later, and have it on the PATH", true);
    }

    private static ApplyFailure failure(String program, Tool.Answer answer, String script) {
        String text = answer.err().isBlank() ? answer.out() : answer.err();
        if (text.contains("Permission denied") || text.contains("must be root") || text.contains("Operation not permitted")) {
            return new ApplyFailure("not allowed to program iptables: run as root, or give the container the capability NET_ADMIN", true);
        }
        if (answer.code() == LOCKED) {
            return new ApplyFailure("another program has held the lock of iptables for " + LOCK_SECONDS + " s", false);
        }
        String first = text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).findFirst().orElse("no reason given");
        Matcher matcher = LINE.matcher(text);
        String line = matcher.find() ? script.lines().skip(Math.max(0, Long.parseLong(matcher.group(1)) - 1)).findFirst().orElse("") : "";
        return new ApplyFailure(program + " refused: " + first + (line.isEmpty() ? "" : " (" + line + ")"), false);
    }
}
