package dev.cairn.plugin.loadbalance;

import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import java.util.concurrent.ThreadLocalRandom;

/** Says with which record a set shall start. Used by all threads at once. */
interface FirstRecord {
    /** Starts sets of A, AAAA and MX with any of their records, all as likely. */
    FirstRecord ROUND_ROBIN = (part, _) -> switch (part.set().type()) {
        case DnsType.A, DnsType.AAAA, DnsType.MX -> ThreadLocalRandom.current().nextInt(part.set().count());
        default -> part.first();
    };

    /** The index of the record; {@code part} has more than one. For sets that are none of its business, the one that is first already. */
    int choose(Part part, QueryView query);
}
