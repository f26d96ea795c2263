package dev.cairn.plugin.dnstap;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A program that receives dnstap messages by the specification of Frame Streams and dnstap.proto: it listens for one connection after the
 * other, or connects once.
 */
final class TapReceiver implements Closeable {
    private final Closeable listener;
    private final String address;
    private final List<Map<Integer, Object>> messages = new CopyOnWriteArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private volatile @Nullable Closeable connection;

    private interface Accepting {
        Streams accept() throws IOException;
    }

    private record Streams(Closeable connection, DataInputStream in, DataOutputStream out) {}

    private TapReceiver(Closeable listener, String address, Accepting accepting) {
        this.listener = listener;
        this.address = address;
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (true) {
                    Streams streams = accepting.accept();
                    connection = streams.connection;
                    serve(streams);
                }
            } catch (IOException e) {
                events.add("closed");
            }
        });
    }

    static TapReceiver unix(Path path) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
        return new TapReceiver(server, path.toString(), () -> {
            SocketChannel channel = server.accept();
            return new Streams(channel, new DataInputStream(Channels.newInputStream(channel)),
                    new DataOutputStream(Channels.newOutputStream(channel)));
        });
    }

    static TapReceiver tcp(String scheme, ServerSocket server) throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new TapReceiver(server, scheme + "://127.0.0.1:" + server.getLocalPort(), () -> {
            Socket socket = server.accept();
            return new Streams(socket, new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
        });
    }

    /** Connects to a socket file. */
    static TapReceiver connectedTo(Path path) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
        return once(channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }

    static TapReceiver on(Socket socket) throws IOException {
        return once(socket, socket.getInputStream(), socket.getOutputStream());
    }

    private static TapReceiver once(Closeable connection, InputStream in, OutputStream out) {
        AtomicReference<@Nullable Streams> only =
                new AtomicReference<>(new Streams(connection, new DataInputStream(in), new DataOutputStream(out)));
        return new TapReceiver(connection, "", () -> {
            Streams streams = only.getAndSet(null);
            if (streams == null) {
                throw new EOFException("there was but one connection");
            }
            return streams;
        });
    }

    /** Shakes hands on a connection from which nothing more is read. */
    static void greetOnly(SocketChannel channel) throws IOException {
        Streams streams = new Streams(channel, new DataInputStream(Channels.newInputStream(channel)),
                new DataOutputStream(Channels.newOutputStream(channel)));
        expectControl(streams, 4);
        control(streams, 1);
        expectControl(streams, 2);
    }

    private void serve(Streams streams) {
        try (Closeable _ = streams.connection) {
            expectControl(streams, 4);
            control(streams, 1);
            expectControl(streams, 2);
            events.add("ready");
            while (true) {
                int length = streams.in.readInt();
                if (length == 0) {
                    streams.in.readInt();
                    events.add("control " + streams.in.readInt());
                    control(streams, 5);
                    return;
                }
                messages.add(decode(ByteBuffer.wrap(streams.in.readNBytes(length)), 14));
            }
        } catch (IOException | IllegalArgumentException e) {
            events.add(e.toString());
        }
    }

    private static void expectControl(Streams streams, int type) throws IOException {
        int escape = streams.in.readInt();
        byte[] frame = streams.in.readNBytes(streams.in.readInt());
        ByteBuffer fields = ByteBuffer.wrap(frame);
        int got = fields.getInt();
        byte[] content = new byte[frame.length - 12];
        fields.position(12).get(content);
        if (escape != 0 || got != type || !new String(content, StandardCharsets.US_ASCII).equals("protobuf:dnstap.Dnstap")) {
            throw new IOException("not control frame " + type + ": " + got);
        }
    }

    private static void control(Streams streams, int type) throws IOException {
        byte[] content = "protobuf:dnstap.Dnstap".getBytes(StandardCharsets.US_ASCII);
        streams.out.writeInt(0);
        streams.out.writeInt(type == 1 ? 12 + content.length : 4);
        streams.out.writeInt(type);
        if (type == 1) {
            streams.out.writeInt(1);
            streams.out.writeInt(content.length);
            streams.out.write(content);
        }
        streams.out.flush();
    }

    /** The fields of a protocol buffer by number: numbers as Long, bytes as byte[], the one of number {@code nested} as a map. */
    private static Map<Integer, Object> decode(ByteBuffer in, int nested) {
        Map<Integer, Object> fields = new TreeMap<>();
        while (in.hasRemaining()) {
            long tag = varint(in);
            int number = (int) (tag >>> 3);
            Object value = switch ((int) tag & 7) {
                case 0 -> varint(in);
                case 2 -> {
                    byte[] bytes = new byte[(int) varint(in)];
                    in.get(bytes);
                    yield number == nested ? decode(ByteBuffer.wrap(bytes), -1) : bytes;
                }
                case 5 -> (long) Integer.reverseBytes(in.getInt());
                default -> throw new IllegalArgumentException("wire type of tag " + tag);
            };
            fields.put(number, value);
        }
        return fields;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    String address() {
        return address;
    }

    List<Map<Integer, Object>> messages() {
        return messages;
    }

    List<String> events() {
        return events;
    }

    /** Ends the connection there is, without a word. */
    void cut() throws IOException {
        Closeable open = connection;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
