package dev.cairn.cluster.api;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads the events of a watch in the API server's protobuf form: messages {@code WatchEvent}, each after its length in four bytes. */
final class ProtoWatch {
    private final ProtoInput in;

    ProtoWatch(InputStream in) {
        this.in = new ProtoInput(in);
    }

    /** The next event, when it comes; null at the end. */
    @Nullable Proto next() throws IOException {
        if (!in.hasMore()) {
            return null;
        }
        long length = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            length = length << 8 | in.octet();
        }
        return in.message(length);
    }
}
