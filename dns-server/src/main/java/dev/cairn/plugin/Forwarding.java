package dev.cairn.plugin;

import dev.cairn.wire.WireName;
import java.util.List;
import java.util.function.Consumer;

/** A plugin that sends queries on to other servers, and can be told that one of them sends them back. */
public interface Forwarding {
    /** The zone whose queries are sent on. */
    WireName zone();

    /** The servers as metrics name them; known once the block has started. */
    List<String> destinations();

    /** Asks one of them a question of no use but that it was asked, and tells whether it answered. From any thread. */
    void probe(int destination, WireName name, int type, Consumer<Boolean> answered);

    /** Asks one of them no more, for this reason. From any thread. */
    void exclude(int destination, String reason);
}
