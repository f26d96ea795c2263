package dev.cairn.cluster.api;

/** Counts requests to the API server; called by several threads. The words are those of client-go's metrics. */
public interface ApiObserver {
    /** Counts nothing. */
    ApiObserver NONE = new ApiObserver() {};

    /** A list was read to its end, or failed. Watches are not timed: they last for minutes by design. */
    default void took(String verb, String host, long nanos) {}

    /** A request waited for its turn because of the configured rate. */
    default void waited(String verb, String host, long nanos) {}

    /**
     * A request has an outcome.
     *
     * @param code the HTTP status, or {@code <error>} if there was no answer
     */
    default void answered(String code, String method, String host) {}
}
