package dev.cairn.cluster.api;

import java.io.IOException;
import java.time.Duration;

/** An answer of the API server that is not what was asked for. */
final class ApiFailure extends IOException {
    static final int BAD_REQUEST = 400;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int GONE = 410;
    static final int INVALID = 422;
    static final int BUSY = 429;

    private static final long serialVersionUID = 1;

    private final int code;
    private final Duration retryAfter;

    ApiFailure(int code, String message, Duration retryAfter) {
        super(message);
        this.code = code;
        this.retryAfter = retryAfter;
    }

    /** The HTTP status, or that of a Status object in a watch. */
    int code() {
        return code;
    }

    /** What the server asks to wait; zero if it does not say. */
    Duration retryAfter() {
        return retryAfter;
    }
}
