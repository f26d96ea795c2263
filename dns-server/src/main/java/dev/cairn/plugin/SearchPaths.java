package dev.cairn.plugin;

import dev.cairn.chain.Exchange;
import dev.cairn.wire.WireName;
import java.util.List;

/** A plugin that knows which search path a client has: what its resolver appends to a name, one after the other. */
public interface SearchPaths {
    /** Whether it is set up to know any. Asked once, when the block starts. */
    boolean knowsSearchPaths();

    /** The path of the client that asked, in its order; empty if it is not known for sure. Called from any thread, off the hot path. */
    List<WireName> searchPath(Exchange exchange);
}
