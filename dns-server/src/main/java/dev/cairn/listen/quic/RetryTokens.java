package dev.cairn.listen.quic;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.quic.Quic;
import io.netty.handler.codec.quic.QuicTokenHandler;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens by which clients prove that they receive what is sent to their address (RFC 9000 section 8.1.2): time, connection id and a
 * signature of both with the address. They cost a client a round trip, so they are asked for only while there are many handshakes about,
 * of which some may come from addresses that are not the sender's. Safe for all threads.
 */
final class RetryTokens implements QuicTokenHandler {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int TIME = 8;
    private static final int SIGNATURE = 16;
    private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final BooleanSupplier needed;
    private final LongSupplier clock;
    private final byte[] secret = new byte[32];

    RetryTokens(BooleanSupplier needed) {
        this(needed, System::nanoTime);
    }

    RetryTokens(BooleanSupplier needed, LongSupplier clock) {
        this.needed = needed;
        this.clock = clock;
        new SecureRandom().nextBytes(secret);
    }

    @Override
    public boolean writeToken(ByteBuf out, ByteBuf connectionId, InetSocketAddress address) {
        if (!needed.getAsBoolean()) {
            return false;
        }
        long now = clock.getAsLong();
        byte[] id = new byte[connectionId.readableBytes()];
        connectionId.getBytes(connectionId.readerIndex(), id);
        out.writeLong(now).writeBytes(sign(now, id, address)).writeBytes(id);
        return true;
    }

    /** Where the connection id of the client's first packet is in the token; -1 if the token is not one of ours, or old. */
    @Override
    public int validateToken(ByteBuf token, InetSocketAddress address) {
        int idLength = token.readableBytes() - TIME - SIGNATURE;
        if (idLength < 0 || idLength > Quic.MAX_CONN_ID_LEN) {
            return -1;
        }
        int start = token.readerIndex();
        long time = token.getLong(start);
        byte[] signature = new byte[SIGNATURE];
        byte[] id = new byte[idLength];
        token.getBytes(start + TIME, signature);
        token.getBytes(start + TIME + SIGNATURE, id);
        long age = clock.getAsLong() - time;
        boolean ours = MessageDigest.isEqual(signature, sign(time, id, address));
        return ours && age >= 0 && age <= VALID_NANOS ? TIME + SIGNATURE : -1;
    }

    private byte[] sign(long time, byte[] id, InetSocketAddress address) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            for (int shift = 56; shift >= 0; shift -= 8) {
                mac.update((byte) (time >> shift));
            }
            mac.update(address.getAddress().getAddress());
            mac.update((byte) (address.getPort() >> 8));
            mac.update((byte) address.getPort());
            return Arrays.copyOf(mac.doFinal(id), SIGNATURE);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    @Override
    public int maxTokenLength() {
        return TIME + SIGNATURE + Quic.MAX_CONN_ID_LEN;
    }
}
