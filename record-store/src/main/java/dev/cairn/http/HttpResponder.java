package dev.cairn.http;

/**
 * Answers the requests for one path. It is asked by the one thread that serves all clients of the process, so it must be done within
 * milliseconds, and wait for nobody; one that cannot promise that is opened as slow, and asked by a thread of its own.
 */
@FunctionalInterface
public interface HttpResponder {
    /** The reply to a GET or HEAD; for HEAD the server leaves the body out. Throwing is answered with 500 and logged. */
    HttpReply respond(HttpRequest request);
}
