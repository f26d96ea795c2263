package dev.cairn.plugin;

import dev.cairn.wire.Network;
import java.time.Duration;
import java.util.List;

/**
 * Whose PROXY headers tell the address of the client.
 *
 * @param trusted whose headers are used; none to have {@code others} decide for all
 * @param others what to do about headers of those who are not among them
 * @param sessions for how long a header that came in a datagram of its own holds for those that follow; zero if each must have its own
 * @param maxSessions of how many such senders to keep the header, for each socket
 * @param tlvs whether to keep the fields that follow the addresses for plugins to ask for
 */
public record ProxyProtocol(List<Network> trusted, Action others, Duration sessions, int maxSessions, boolean tlvs) {
    /** What to do about a header. */
    public enum Action {
        /** Take the client's address from it. */
        USE,
        /** Take it off and forget it. */
        IGNORE,
        /** Turn the sender away if there is one. */
        REJECT,
        /** Do not even look: it is part of the message. */
        SKIP
    }

    public ProxyProtocol {
        trusted = List.copyOf(trusted);
    }

    /** What to do about a header of this sender, whose address has {@code length} bytes. */
    public Action action(byte[] sender, int length) {
        for (int i = 0; i < trusted.size(); i++) {
            if (trusted.get(i).contains(sender, length)) {
                return Action.USE;
            }
        }
        return others;
    }
}
