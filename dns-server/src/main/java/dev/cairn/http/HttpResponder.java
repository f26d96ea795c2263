package dev.cairn.http;

/** Answers the requests for one path. Called by many threads at a time. */
@FunctionalInterface
public interface HttpResponder {
    /** The reply to a GET or HEAD; for HEAD the server leaves the body out. Throwing is answered with 500 and logged. */
    HttpReply respond(HttpRequest request);
}
