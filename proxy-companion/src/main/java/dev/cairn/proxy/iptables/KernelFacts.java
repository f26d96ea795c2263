package dev.cairn.proxy.iptables;

import dev.cairn.proxy.sync.ApplyFailure;
import org.jspecify.annotations.Nullable;

/** What is asked of the kernel beside iptables. */
interface KernelFacts {
    /** Nothing is known, and nothing is changed. */
    KernelFacts NONE = new KernelFacts() {};

    /** Whether the connection tracker takes packets that are out of the window as valid. */
    default boolean isLiberal() {
        return false;
    }

    /** Whether rules can count packets by name. */
    default boolean countsPackets() {
        return false;
    }

    /** Makes a counter if there is none of this name. */
    default void makeCounter(String name) throws ApplyFailure {}

    /** Lets packets from loopback addresses leave by other interfaces, which those to node ports at 127.0.0.1 have to. */
    default void routeLoopback() throws ApplyFailure {}

    /** Something that is another after a change of rules by anybody; null if there is no cheap way to tell. */
    default @Nullable String fingerprint(Variant variant) {
        return null;
    }
}
