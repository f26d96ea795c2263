package dev.cairn.cluster.api;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a protobuf message. */
final class ProtoMessage {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private void varint(int value) {
        int rest = value;
        while (rest > 0x7f) {
            bytes.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes.write(rest);
    }

    ProtoMessage number(int field, int value) {
        varint(field << 3);
        varint(value);
        return this;
    }

    ProtoMessage text(int field, String value) {
        return content(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoMessage message(int field, ProtoMessage value) {
        return content(field, value.toByteArray());
    }

    ProtoMessage content(int field, byte[] value) {
        varint(field << 3 | 2);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }

    /** It as the content of the envelope that the API server puts around objects. */
    byte[] enveloped() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Proto.MARK);
        all.writeBytes(new ProtoMessage().message(2, this).toByteArray());
        return all.toByteArray();
    }
}
