package dev.cairn.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a name is answered.
 *
 * @param name as it was asked for
 * @param tries the questions that the client's resolver asks for it, up to the first that is answered
 * @param server the running server that was asked, too; empty if none was
 * @param proxy what becomes of connections to the addresses of the answer
 * @param notes what is to be known beside
 */
public record Explanation(String name, Client client, List<Try> tries, String server, List<ProxyTrace.Walk> proxy, List<String> notes) {
    /**
     * One question.
     *
     * @param type the record type's mnemonic
     * @param suffix what the search path added to the name, empty if nothing
     * @param legs the way through the plugins, and the ways of questions that the server asked itself; empty if only a server was asked
     * @param passedOver views that did not take the question
     * @param heard what the running server said; null if none was asked
     */
    record Try(
            String name,
            String type,
            String suffix,
            Reply reply,
            List<Leg> legs,
            List<String> passedOver,
            Finding finding,
            @Nullable Heard heard) {
        Try {
            legs = List.copyOf(legs);
            passedOver = List.copyOf(passedOver);
        }
    }

    /**
     * What the running server said.
     *
     * @param agrees whether that is what was found here
     * @param error why there was no reply, empty if there was one
     */
    record Heard(Reply reply, boolean agrees, String error) {}

    public Explanation {
        tries = List.copyOf(tries);
        proxy = List.copyOf(proxy);
        notes = List.copyOf(notes);
    }

    /** Whether the client gets an answer. */
    public boolean isAnswered() {
        return tries.getLast().reply().answers();
    }

    /** The try that matters: the one that was answered, else the first. */
    Try deciding() {
        return isAnswered() ? tries.getLast() : tries.getFirst();
    }
}
