package dev.cairn.plugin.transfer;

import dev.cairn.chain.ReplyStream;
import dev.cairn.plugin.ZoneContent;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.RrSet;
import java.util.Iterator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The messages of a transfer: the SOA, all else, and the SOA again (RFC 5936 section 2.2). Used by one thread at a time. */
final class TransferStream implements ReplyStream {
    /** How many bytes of records a message has at most, unless one record has more: all of them can be pointed to for compression. */
    private static final int MESSAGE_BYTES = 16_000;

    private final RrSet soa;
    private final Iterator<RrSet> sets;
    private final LongConsumer whenSent;
    private @Nullable RrSet left;
    private long records;
    private boolean ended;

    /** @param whenSent is told the number of records when the last message is made */
    TransferStream(ZoneContent zone, LongConsumer whenSent) {
        this.soa = zone.soa();
        this.sets = zone.sets().iterator();
        this.left = soa;
        this.whenSent = whenSent;
    }

    @Override
    public boolean next(Answer answer) {
        if (ended) {
            return false;
        }
        int room = MESSAGE_BYTES;
        while (room > 0) {
            RrSet set = left != null ? left : sets.hasNext() ? sets.next() : null;
            left = null;
            if (set == null) {
                answer.add(Section.ANSWER, soa);
                ended = true;
                whenSent.accept(records + 1);
                return true;
            }
            room = add(set, answer, room);
        }
        return true;
    }

    /** Adds what fits of a set and keeps the rest; returns the room that is left, 0 if the message is full. */
    private int add(RrSet set, Answer answer, int room) {
        int fitting = Math.max(set.fitting(room), answer.size() == 0 ? 1 : 0);
        if (fitting > 0) {
            RrSet now = set.slice(0, fitting);
            answer.add(Section.ANSWER, now);
            records += fitting;
            if (fitting == set.count()) {
                return Math.max(0, room - now.wireSize());
            }
        }
        left = set.slice(fitting, set.count());
        return 0;
    }
}
