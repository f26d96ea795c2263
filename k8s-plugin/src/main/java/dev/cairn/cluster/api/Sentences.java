package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Says in a sentence for the log what is wrong with the API server, and where it helps what to do. */
final class Sentences {
    private Sentences() {}

    static String of(IOException failure, Target target, String server, String verb) {
        if (failure instanceof ApiFailure answer) {
            return switch (answer.code()) {
                case ApiFailure.UNAUTHORIZED -> "API server " + server + " refuses the credentials (401); they are read again";
                case ApiFailure.FORBIDDEN -> forbidden(target, verb, answer);
                case ApiFailure.NOT_FOUND -> target.fullName() + "/" + target.version() + " is unknown to API server " + server
                        + (target.group().endsWith("x-k8s.io") ? ": install its CustomResourceDefinition" : " (404)");
                case ApiFailure.BUSY -> "API server " + server + " is busy (429); serving what is known";
                default -> away(server, (answer.code() + " " + answer.getMessage()).strip());
            };
        }
        return away(server, reason(failure));
    }

    private static String away(String server, String why) {
        return "API server " + server + " away: " + why + "; serving what is known";
    }

    private static String forbidden(Target target, String verb, ApiFailure answer) {
        String message = String.valueOf(answer.getMessage());
        String group = target.group().isEmpty() ? "\"\"" : target.group();
        return verb + " " + target.fullName() + " at cluster scope is forbidden: add verbs list, watch on resource " + target.plural()
                + " of apiGroup " + group + " to the ClusterRole" + (message.isEmpty() ? "" : " (" + message + ")");
    }

    private static String reason(Throwable failure) {
        String last = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String known = known(cause);
            if (!known.isEmpty()) {
                return known;
            }
            last = cause.getMessage() == null ? last : cause.getMessage();
        }
        return last.isEmpty() ? failure.getClass().getSimpleName() : last;
    }

    private static String known(Throwable cause) {
        String message = cause.getMessage();
        return switch (cause) {
            case SocketTimeoutException _ -> "no answer in time";
            case UnknownHostException _ -> "its host name does not resolve";
            case ConnectException _ when message != null -> message.toLowerCase(Locale.ROOT);
            case ConnectException _ -> "connection refused";
            case SSLException _ -> "TLS: " + message;
            case JsonProcessingException json -> "its answer cannot be read: " + json.getOriginalMessage();
            default -> "";
        };
    }
}
