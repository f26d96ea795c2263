package dev.cairn.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Makes record data as wire bytes, names in full (compression is the encoder's business). For set-up and cluster changes, not per query. */
public final class Rdata {
    private Rdata() {}

    /** A or AAAA data from the raw address. */
    public static byte[] address(byte[] address) {
        if (address.length != 4 && address.length != 16) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + address.length);
        }
        return address.clone();
    }

    /** The data of CNAME, NS and PTR. */
    public static byte[] name(WireName target) {
        return target.array().clone();
    }

    public static byte[] mx(int preference, WireName exchange) {
        byte[] data = new byte[2 + exchange.length()];
        Bytes.put16(data, 0, preference);
        exchange.copyTo(data, 2);
        return data;
    }

    public static byte[] srv(int priority, int weight, int port, WireName target) {
        byte[] data = new byte[6 + target.length()];
        Bytes.put16(data, 0, priority);
        Bytes.put16(data, 2, weight);
        Bytes.put16(data, 4, port);
        target.copyTo(data, 6);
        return data;
    }

    /** SOA data; {@code times} are serial, refresh, retry, expire, minimum. */
    public static byte[] soa(WireName primary, WireName mailbox, int... times) {
        if (times.length != 5) {
            throw new IllegalArgumentException("SOA has serial, refresh, retry, expire and minimum");
        }
        byte[] data = new byte[primary.length() + mailbox.length() + 20];
        int at = mailbox.copyTo(data, primary.copyTo(data, 0));
        for (int time : times) {
            Bytes.put32(data, at, time);
            at += 4;
        }
        return data;
    }

    /** TXT data of one string, cut into pieces of 255 bytes (RFC 1035 section 3.3.14). */
    public static byte[] txt(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int pieces = Math.max(1, (bytes.length + 254) / 255);
        byte[] data = new byte[bytes.length + pieces];
        int at = 0;
        for (int from = 0; at < data.length; from += 255) {
            int size = Math.min(255, bytes.length - from);
            data[at] = (byte) size;
            System.arraycopy(bytes, from, data, at + 1, size);
            at += 1 + size;
        }
        return data;
    }

    public static byte[] hinfo(String cpu, String os) {
        byte[] first = characterString(cpu);
        byte[] second = characterString(os);
        byte[] data = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, data, first.length, second.length);
        return data;
    }

    private static byte[] characterString(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 255) {
            throw new IllegalArgumentException("a character string has at most 255 bytes: " + text);
        }
        byte[] data = new byte[bytes.length + 1];
        data[0] = (byte) bytes.length;
        System.arraycopy(bytes, 0, data, 1, bytes.length);
        return data;
    }

    /** Shorthand for a set of one record. */
    public static RrSet single(WireName owner, int type, int ttl, byte[] data) {
        return RrSet.of(owner, type, DnsClass.IN, ttl, List.of(data));
    }
}
