package dev.cairn.plugin.cache;

/** What a reply is to the cache. */
enum Kind {
    /** Has what was asked for. */
    ANSWER,
    /** NOERROR without an answer and without an SOA: a referral, or nothing at all. */
    NON_ANSWER,
    /** The name, or the type at it, does not exist, and an SOA says how long that is so (RFC 2308 section 2). */
    DENIAL,
    /** The server could not answer (RFC 2308 section 7). */
    FAILURE,
    /** Of use to this client only. */
    UNKEPT;

    /** Whether the reply is kept with the successful ones. */
    boolean isSuccess() {
        return this == ANSWER || this == NON_ANSWER;
    }
}
