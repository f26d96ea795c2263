package dev.cairn.wire;

/** What a received packet deserves, before anybody looks at its name. */
public enum Verdict {
    /** A proper query, or NOTIFY: hand it to the chain. */
    ANSWER,
    /** Shorter than a header, or itself a response: any reply could start a loop or serve a reflection. */
    DROP,
    /** FORMERR (RFC 1035 section 4.1.1, RFC 9619 for the number of questions, RFC 6891 section 6.1.1 for a second OPT). */
    FORMAT_ERROR,
    /** NOTIMP: an opcode other than QUERY and NOTIFY. */
    NOT_IMPLEMENTED,
    /** BADVERS: an EDNS version above 0 (RFC 6891 section 6.1.3). */
    BAD_VERSION
}
