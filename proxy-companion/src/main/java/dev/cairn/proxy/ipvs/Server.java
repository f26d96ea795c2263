package dev.cairn.proxy.ipvs;

/**
 * How a virtual server balances.
 *
 * @param flags those of linux/ip_vs.h
 * @param seconds how long a client stays with a real server; 0 for not at all
 */
record Server(String scheduler, int flags, int seconds) {
    static final int PERSISTENT = 1;
    /** The kernel's own, which says nothing. */
    static final int HASHED = 2;
    /** For sh and mh: look at the client's port, too. */
    static final int HASH_PORT = 0x10;
    /** A flag that no scheduler looks at: by it we know our own virtual servers again. */
    static final int OURS = 0x20;

    static Server of(String scheduler, int seconds) {
        return new Server(scheduler, OURS | (seconds > 0 ? PERSISTENT : 0) | (scheduler.equals("mh") ? HASH_PORT : 0), seconds);
    }

    boolean isOurs() {
        return (flags & OURS) != 0;
    }

    /** As ipvsadm writes it. */
    @Override
    public String toString() {
        return "-s " + scheduler + ((flags & HASH_PORT) != 0 ? " -b mh-port" : "") + ((flags & PERSISTENT) != 0 ? " -p " + seconds : "");
    }
}
