package dev.cairn.proxy.ipvs;

import dev.cairn.proxy.sync.ApplyFailure;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The rules beside IPVS and their sets, in one of the ways that the kernel may have. Used by one thread. */
interface Helper {
    /** Makes sets and rules, or mends them at one stroke; the elements stay. */
    void load(HelperRules rules) throws ApplyFailure;

    /** The elements that the kernel has. */
    Set<Element> elements() throws ApplyFailure;

    void add(Collection<Element> elements) throws ApplyFailure;

    void remove(Collection<Element> elements) throws ApplyFailure;

    /** What of sets and rules is missing, one line each. */
    List<String> missing(HelperRules rules) throws ApplyFailure;

    /** How many transactions of nftables it has made. */
    default int transactions() {
        return 0;
    }

    /** Something short that is another when somebody has changed rules, ours or others; always the same where changes are told. */
    default String fingerprint() throws ApplyFailure {
        return "";
    }

    /** Whether there are as many elements as in this state; yes where changes are told. */
    default boolean hasAsMany(KernelState state) throws ApplyFailure {
        return true;
    }

    /** Removes all of it; what was there. Without the tool for it nothing can be there. */
    List<String> cleanUp() throws ApplyFailure;
}
