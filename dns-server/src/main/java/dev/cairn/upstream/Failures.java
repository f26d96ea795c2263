package dev.cairn.upstream;

import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** What went wrong, in the words that Go has for it where operators may have configured something to look for them. */
final class Failures {
    private Failures() {}

    static String describe(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        String lower = text.toLowerCase(Locale.ROOT);
        if (cause instanceof ConnectTimeoutException) {
            return Attempt.TIMEOUT;
        }
        if (cause instanceof PortUnreachableException || lower.contains("connection refused")) {
            return "connection refused";
        }
        if (cause instanceof NoRouteToHostException || lower.contains("no route to host")) {
            return "no route to host";
        }
        if (lower.contains("unreachable")) {
            return "network is unreachable";
        }
        if (cause instanceof ClosedChannelException || lower.contains("connection reset") || lower.contains("broken pipe")) {
            return "the connection was closed";
        }
        if (cause instanceof SSLException) {
            return "tls: " + rootOf(cause);
        }
        return cause instanceof ConnectException ? text : rootOf(cause);
    }

    /** The innermost exception says most: that a certificate does not fit, for one. */
    private static String rootOf(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = root.getMessage();
        return text == null ? root.getClass().getSimpleName() : text.lines().findFirst().orElse("");
    }
}
