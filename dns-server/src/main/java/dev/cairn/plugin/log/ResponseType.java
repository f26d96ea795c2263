package dev.cairn.plugin.log;

import dev.cairn.chain.Exchange;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;

/** What kind of reply a query got, with the class by which {@code log} chooses. */
enum ResponseType {
    NOERROR(ResponseClass.SUCCESS),
    DELEGATION(ResponseClass.SUCCESS),
    NODATA(ResponseClass.DENIAL),
    NXDOMAIN(ResponseClass.DENIAL),
    SERVERERROR(ResponseClass.ERROR),
    /** A zone transfer. */
    META(ResponseClass.ERROR),
    /** Any other error, and no reply at all. */
    OTHERERROR(ResponseClass.ERROR);

    private final ResponseClass responseClass;

    ResponseType(ResponseClass responseClass) {
        this.responseClass = responseClass;
    }

    ResponseClass responseClass() {
        return responseClass;
    }

    static ResponseType of(Exchange exchange) {
        Answer answer = exchange.answer();
        int type = exchange.query().type();
        if (exchange.replyLength() == 0) {
            return OTHERERROR;
        }
        if (type == DnsType.AXFR || type == DnsType.IXFR) {
            return META;
        }
        return switch (answer.rcode()) {
            case Rcode.NOERROR -> ofSuccess(answer);
            case Rcode.NXDOMAIN -> answer.has(Section.ANSWER) ? OTHERERROR : NXDOMAIN;
            case Rcode.SERVFAIL, Rcode.NOTIMP -> SERVERERROR;
            default -> OTHERERROR;
        };
    }

    /** An SOA in the authority section tells an empty answer from a referral (RFC 2308 section 2.2). */
    private static ResponseType ofSuccess(Answer answer) {
        if (answer.has(Section.ANSWER)) {
            return NOERROR;
        }
        ResponseType result = NOERROR;
        for (int i = 0; i < answer.size(); i++) {
            if (answer.part(i).section() == Section.AUTHORITY) {
                switch (answer.part(i).set().type()) {
                    case DnsType.SOA -> {
                        return NODATA;
                    }
                    case DnsType.NS -> result = DELEGATION;
                    default -> { }
                }
            }
        }
        return result;
    }
}
