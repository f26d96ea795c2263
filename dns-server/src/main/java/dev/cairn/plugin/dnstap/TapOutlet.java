package dev.cairn.plugin.dnstap;

/** Where messages go. Any thread may use it; none ever waits. */
interface TapOutlet {
    /** Takes a data frame along, or counts it as lost. */
    void offer(byte[] frame);

    /** Whether anybody is there to get messages, so that they are worth making. */
    default boolean isWanted() {
        return true;
    }
}
