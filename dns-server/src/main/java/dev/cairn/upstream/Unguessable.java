package dev.cairn.upstream;

import dev.cairn.wire.Bytes;
import java.security.SecureRandom;

/** Random numbers that nobody can foretell, drawn from the system's generator a batch at a time. Owned by one thread. */
final class Unguessable {
    private final SecureRandom source = new SecureRandom();
    private final byte[] drawn = new byte[512];
    private int used = drawn.length;

    int next16() {
        if (used == drawn.length) {
            source.nextBytes(drawn);
            used = 0;
        }
        used += 2;
        return Bytes.u16(drawn, used - 2);
    }

    /** A number below {@code bound}, which is small. */
    int next(int bound) {
        return bound == 1 ? 0 : next16() % bound;
    }
}
