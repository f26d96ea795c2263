package dev.cairn.proxy.plan;

/** What leads packets to endpoints, as far as that decides where they go. */
public enum Carrier {
    /** Rules, which know where a packet comes from. */
    RULES,
    /** Virtual servers, which do not. */
    VIRTUAL_SERVERS,
    /** A process, which sends on by itself. */
    RELAY
}
