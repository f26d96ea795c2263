package dev.cairn.plugin.tsig;

import dev.cairn.chain.ReplySeal;
import dev.cairn.wire.Bytes;
import dev.cairn.wire.Rcode;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.TSIGRecord;

/**
 * Ends the messages of one reply with TSIG records: the first signs the request's signature, too, and each further one the signature
 * before it (RFC 8945 section 5.3). Owned by whoever has the exchange.
 */
final class TsigSeal implements ReplySeal {
    /** Beside the two names: head of the record, time, fudge, sizes, identifier and error, the longest signature, a time. */
    private static final int FIXED_ROOM = 10 + 16 + 64 + 6;

    private final @Nullable TSIG key;
    private final TSIGRecord request;
    private final int error;
    private TSIGRecord before;
    private boolean first = true;

    /** @param key null if replies are not to be signed, only to carry the error */
    TsigSeal(@Nullable TSIG key, TSIGRecord request, int error) {
        this.key = key;
        this.request = request;
        this.error = error;
        this.before = request;
    }

    @Override
    public int room() {
        return request.getName().length() + request.getAlgorithm().length() + FIXED_ROOM;
    }

    @Override
    public int seal(byte[] message, int length) {
        TSIGRecord record = record(Arrays.copyOf(message, length));
        before = record;
        first = false;
        byte[] wire = record.toWire(Section.ADDITIONAL);
        System.arraycopy(wire, 0, message, length, wire.length);
        Bytes.put16(message, 10, Bytes.u16(message, 10) + 1);
        return length + wire.length;
    }

    private TSIGRecord record(byte[] message) {
        int id = Bytes.u16(message, 0);
        if (key == null || error == Rcode.BADKEY || error == Rcode.BADSIG) {
            return new TSIGRecord(request.getName(), DClass.ANY, 0, request.getAlgorithm(), Instant.now(), request.getFudge(),
                    new byte[0], id, error, new byte[0]);
        }
        return key.generate(new Message(id), message, error, before, first);
    }
}
