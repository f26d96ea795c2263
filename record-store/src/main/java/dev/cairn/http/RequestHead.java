package dev.cairn.http;

/** What came of reading the head of a request. */
sealed interface RequestHead {
    /** Whether the connection is there for another request after this one (RFC 9112 section 9.3). */
    enum Afterwards {
        CLOSE("close"),
        KEEP(""),
        /** As KEEP, for a client of HTTP/1.0, which has to be told. */
        KEEP_AND_SAY("keep-alive");

        /** The Connection header of the reply; empty for none. */
        private final String header;

        Afterwards(String header) {
            this.header = header;
        }

        String header() {
            return header;
        }
    }

    /** A request with any method. */
    record Good(HttpRequest request, Afterwards afterwards) implements RequestHead {}

    /** One that is not understood; where the next one begins is not known either. */
    record Bad(HttpReply reply) implements RequestHead {
        Bad(int status) {
            this(HttpReply.text(status, status + " " + ReplyBytes.reason(status) + "\n"));
        }
    }
}
