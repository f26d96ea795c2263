package dev.cairn.server;

import dev.cairn.log.Log;

/** What can only be a mistake in this program and keeps a configuration out of service, in words for the user. */
public final class Defect {
    private static final Log LOG = Log.server();

    private Defect() {}

    /** A sentence; where it happened is logged only while debugging. */
    public static String sentence(RuntimeException thrown) {
        if (Log.debugging()) {
            LOG.defect("a defect", thrown);
        }
        return "a defect of Cairn: " + thrown + "; please report it with these lines, and with where it happens, which 'debug' in the Corefile has logged";
    }
}
