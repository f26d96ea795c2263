package dev.cairn.cluster.api;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads a list in the API server's protobuf form as it arrives: an envelope ({@code k8s\0} and a message {@code runtime.Unknown}) around
 * metadata and items.
 */
final class ProtoList {
    private static final int METADATA = 1;
    private static final int ITEM = 2;

    private final ProtoInput in;

    ProtoList(InputStream in) {
        this.in = new ProtoInput(in);
    }

    /** Reads to the end of the body, so that the connection can be used again. */
    void read(Proto.Field metadata, Proto.Reader item) throws IOException {
        for (byte expected : Proto.MARK) {
            if (in.octet() != expected) {
                throw new IOException("the answer is not in the protobuf form of Kubernetes");
            }
        }
        while (in.hasMore()) {
            int tag = (int) in.varint();
            if (tag == (Proto.ENVELOPED << 3 | Proto.BYTES)) {
                long length = in.varint();
                content(in.position() + length, metadata, item);
            } else {
                in.skipField(tag);
            }
        }
    }

    private void content(long until, Proto.Field metadata, Proto.Reader item) throws IOException {
        while (in.position() < until) {
            int tag = (int) in.varint();
            if (tag == (METADATA << 3 | Proto.BYTES)) {
                in.message(in.varint()).fields(metadata);
            } else if (tag == (ITEM << 3 | Proto.BYTES)) {
                item.read(in.message(in.varint()));
            } else {
                in.skipField(tag);
            }
        }
    }
}
