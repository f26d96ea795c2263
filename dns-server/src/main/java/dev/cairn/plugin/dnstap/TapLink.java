package dev.cairn.plugin.dnstap;

import dev.cairn.plugin.dnstap.TapSettings.Target;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A connection that carries dnstap messages by the Frame Streams protocol in both directions: we are READY, the other ACCEPTs, we START,
 * send data, STOP, and the other FINISHes. Used by one thread, but for {@link #abort} and {@link #awaitFinish}.
 */
final class TapLink {
    private static final byte[] CONTENT_TYPE = "protobuf:dnstap.Dnstap".getBytes(StandardCharsets.US_ASCII);
    private static final int TIMEOUT_MILLIS = 4000;

    /** For one who connected to us: nobody waits for it, so it is given more time. */
    private static final int ACCEPT_MILLIS = 10_000;

    // Control frames and their only field (Frame Streams, fstrm/control.h).
    private static final int ACCEPT = 1;
    private static final int START = 2;
    private static final int STOP = 3;
    private static final int READY = 4;
    private static final int FINISH = 5;
    private static final int FIELD_CONTENT_TYPE = 1;
    private static final int MAX_CONTROL = 512;

    private final Closeable socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final ScheduledExecutorService watchdog;

    private TapLink(Closeable socket, DataInputStream in, OutputStream out, ScheduledExecutorService watchdog) {
        this.socket = socket;
        this.in = in;
        this.out = out;
        this.watchdog = watchdog;
    }

    /** Connects and shakes hands; not longer than a few seconds. */
    static TapLink open(TapSettings settings, ScheduledExecutorService watchdog) throws IOException {
        TapLink link = switch (settings.target()) {
            case Target.Unix(String path) -> {
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                yield connected(channel, () -> channel.connect(UnixDomainSocketAddress.of(path)), watchdog);
            }
            case Target.Network network when network.tls() -> encrypted(network, settings, watchdog);
            case Target.Network(String host, int port, boolean _) -> {
                SocketChannel channel = SocketChannel.open();
                channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.writeBuffer());
                yield connected(channel, () -> channel.socket().connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS), watchdog);
            }
        };
        Future<?> alarm = link.alarm(TIMEOUT_MILLIS);
        try {
            return link.greeted();
        } catch (IOException e) {
            link.abort();
            throw e;
        } finally {
            alarm.cancel(false);
        }
    }

    /** Shakes hands with one who connected; not longer than a few seconds. As to who is READY and who ACCEPTs nothing changes. */
    static TapLink accept(SocketChannel channel, TapSettings settings, ScheduledExecutorService watchdog) throws IOException {
        TapLink plain = new TapLink(
                channel, new DataInputStream(Channels.newInputStream(channel)), Channels.newOutputStream(channel), watchdog);
        Future<?> alarm = plain.alarm(ACCEPT_MILLIS);
        try {
            if (!(settings.target() instanceof Target.Network network)) {
                return plain.greeted();
            }
            channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.writeBuffer());
            if (!network.tls()) {
                return plain.greeted();
            }
            SSLSocket socket = TapTrust.serve(channel.socket(), Objects.requireNonNull(settings.tls(), "tls"));
            socket.startHandshake();
            return new TapLink(channel, new DataInputStream(socket.getInputStream()), socket.getOutputStream(), watchdog).greeted();
        } catch (IOException e) {
            plain.abort();
            throw e;
        } finally {
            alarm.cancel(false);
        }
    }

    /** Something that takes its time. */
    interface Act {
        void run() throws IOException, InterruptedException;
    }

    private static TapLink connected(SocketChannel channel, Act connecting, ScheduledExecutorService watchdog) throws IOException {
        try {
            connecting.run();
        } catch (IOException | InterruptedException | RuntimeException e) { // an unknown host is a RuntimeException of channels
            channel.close();
            throw e instanceof IOException io ? io : new IOException(e.toString(), e);
        }
        return new TapLink(channel, new DataInputStream(Channels.newInputStream(channel)), Channels.newOutputStream(channel), watchdog);
    }

    private static TapLink encrypted(Target.Network to, TapSettings settings, ScheduledExecutorService watchdog) throws IOException {
        Socket plain = new Socket();
        try {
            plain.setSendBufferSize(settings.writeBuffer());
            plain.connect(new InetSocketAddress(to.host(), to.port()), TIMEOUT_MILLIS);
            plain.setSoTimeout(TIMEOUT_MILLIS);
            SSLSocket socket = (SSLSocket) TapTrust.context(settings.skipVerify()).getSocketFactory()
                    .createSocket(plain, to.host(), to.port(), true);
            if (!settings.skipVerify()) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
            }
            socket.startHandshake();
            // Closed from below: to close it properly would have to wait for a write that does not end.
            return new TapLink(plain, new DataInputStream(socket.getInputStream()), socket.getOutputStream(), watchdog);
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    private Future<?> alarm(int millis) {
        return watchdog.schedule(this::abort, millis, TimeUnit.MILLISECONDS);
    }

    private TapLink greeted() throws IOException {
        control(READY, true);
        expect(ACCEPT);
        control(START, true);
        return this;
    }

    private void control(int type, boolean withContentType) throws IOException {
        int length = 4 + (withContentType ? 8 + CONTENT_TYPE.length : 0);
        ByteBuffer frame = ByteBuffer.allocate(8 + length).putInt(0).putInt(length).putInt(type);
        if (withContentType) {
            frame.putInt(FIELD_CONTENT_TYPE).putInt(CONTENT_TYPE.length).put(CONTENT_TYPE);
        }
        out.write(frame.array());
        out.flush();
    }

    private void expect(int type) throws IOException {
        int escape = in.readInt();
        int length = in.readInt();
        if (escape != 0 || length < 4 || length > MAX_CONTROL) {
            throw new IOException("the other side does not speak Frame Streams");
        }
        int got = in.readInt();
        in.readNBytes(length - 4);
        if (got != type) {
            throw new IOException("expected control frame " + type + ", got " + got);
        }
    }

    /** Writes data frames, however long the other side takes to read them. */
    void write(List<byte[]> frames) throws IOException {
        int size = 0;
        for (byte[] frame : frames) {
            size += frame.length;
        }
        ByteBuffer all = ByteBuffer.allocate(size);
        frames.forEach(all::put);
        out.write(all.array());
        out.flush();
    }

    /** Waits until the other side has nothing more to say, which is when we stopped, or it goes. */
    void awaitFinish() throws IOException {
        expect(FINISH);
    }

    /** Takes leave, not longer than a few seconds. */
    void close() {
        close(this::awaitFinish);
    }

    /** The same where another thread is in {@link #awaitFinish}, and {@code waiting} waits for that. */
    void close(Act waiting) {
        Future<?> alarm = alarm(TIMEOUT_MILLIS);
        try {
            control(STOP, false);
            waiting.run();
        } catch (IOException e) {
            // Whether the other side says good-bye does not matter any more.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            alarm.cancel(false);
            abort();
        }
    }

    void abort() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }
}
