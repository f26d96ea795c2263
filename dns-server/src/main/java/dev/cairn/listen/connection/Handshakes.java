package dev.cairn.listen.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * The connections of a listener that have not finished their handshake, of which there may be so many and no more: a new one then takes
 * the place of the oldest. Whoever opens connections and leaves them so thus pushes out its own, while a client that goes on at once is
 * done long before its turn to be pushed out would come. Safe for all threads.
 */
public final class Handshakes {
    /** An engine in the middle of a handshake holds some tens of kilobytes. */
    public static final int LIMIT = 256;

    private final SequencedSet<Channel> open = new LinkedHashSet<>();

    public void begin(Channel channel) {
        Channel oldest = null;
        synchronized (open) {
            open.addLast(channel);
            if (open.size() > LIMIT) {
                oldest = open.removeFirst();
            }
        }
        channel.closeFuture().addListener(_ -> end(channel));
        if (oldest != null) {
            abort(oldest);
        }
    }

    /** Gives the oldest up for the sake of another connection; false if there is none. */
    public boolean giveUpOldest() {
        Channel oldest;
        synchronized (open) {
            oldest = open.isEmpty() ? null : open.removeFirst();
        }
        if (oldest != null) {
            abort(oldest);
        }
        return oldest != null;
    }

    public void end(Channel channel) {
        synchronized (open) {
            open.remove(channel);
        }
    }

    public int size() {
        synchronized (open) {
            return open.size();
        }
    }

    /** Closes without the parting words of TLS, which would have to wait for a peer that does not read. */
    private static void abort(Channel channel) {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first != null) {
            first.close();
        }
    }
}
