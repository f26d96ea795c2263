package dev.cairn.explain;

import dev.cairn.explain.Explanation.Heard;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SimpleResolver;

/** A server that is asked over the network. */
final class RunningServer {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int TRIES = 2;

    private final InetSocketAddress address;
    private String error = "";

    RunningServer(InetSocketAddress address) {
        this.address = address;
    }

    /**
     * Asks, unless there was no reply to an earlier question.
     *
     * @param found what was found here, to compare with; null if nothing was
     */
    Heard ask(WireName name, int type, @Nullable Reply found) {
        boolean silent = !error.isEmpty();
        for (int i = 0; i < TRIES && !silent; i++) {
            try {
                SimpleResolver resolver = new SimpleResolver(address);
                resolver.setTimeout(PATIENCE);
                Message query = Message.newQuery(Record.newRecord(Name.fromString(name.toString()), type, DClass.IN));
                Reply reply = Reply.of(resolver.send(query));
                error = "";
                return new Heard(reply, found == null || found.agreesWith(reply), "");
            } catch (IOException e) {
                error = sentence(e);
            }
        }
        return new Heard(Reply.NONE, false, error);
    }

    private static String sentence(IOException e) {
        if (e instanceof PortUnreachableException) {
            return "nothing listens there";
        }
        String message = e.getMessage();
        boolean late = e instanceof InterruptedIOException || message == null || message.toLowerCase(Locale.ROOT).contains("timed out");
        return late ? "no reply within " + PATIENCE.toSeconds() + " s" : String.valueOf(message);
    }
}
