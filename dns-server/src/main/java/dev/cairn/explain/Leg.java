package dev.cairn.explain;

import java.util.List;

/**
 * The way of one question through the plugins of a server block.
 *
 * @param question name and type
 * @param at where the block begins in the Corefile
 * @param zone the zone of the block that the name is in, the longest there is
 * @param server the address of the server
 * @param view the view that the block is for, empty if it is for all
 * @param setAside directives of the block that were left out, since they never answer
 * @param answeredBy the plugin that gave the answer, empty if none did
 * @param upstream the other server that was asked, empty if none was
 * @param error what went wrong, empty if nothing did
 * @param rcode of the answer, empty if there was none
 */
record Leg(
        String question,
        String at,
        String zone,
        String server,
        String view,
        List<String> setAside,
        List<Visit> visits,
        String answeredBy,
        String upstream,
        String error,
        String rcode) {
    /** The step of a plugin that neither passed the question on nor answered it. */
    static final String SILENT = "gave no answer";

    /** A plugin that saw the question: where the Corefile names it, and whether it {@code passed} or {@code answered} it, or neither. */
    record Visit(String plugin, String at, String step) {}

    Leg {
        setAside = List.copyOf(setAside);
        visits = List.copyOf(visits);
    }
}
