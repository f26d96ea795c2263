package dev.cairn.listen;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Relay;
import dev.cairn.chain.ReplySink;
import dev.cairn.chain.Router;
import dev.cairn.chain.SpareExchanges;
import dev.cairn.kernel.Promptness;
import dev.cairn.listen.connection.DatagramRelay;
import dev.cairn.listen.connection.Service;
import dev.cairn.log.Log;
import dev.cairn.log.RateLimit;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.ProxyProtocol;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * One datagram socket and the thread that serves it: receive a batch, answer each, send the replies. Its thread owns the batch and the
 * exchange; only {@link #send} and {@link #reuse} are called from elsewhere, for what plugins answer later.
 */
final class FfmUdpSocket implements ReplySink {
    private static final Log LOG = Log.server();
    private static final int BATCH = 64;
    private static final int RECEIVE_BUFFER = 4 << 20;

    /** How often an idle thread looks whether it shall stop; also how long a closing socket must be quiet. */
    private static final long RECEIVE_TIMEOUT_MICROS = 250_000;

    private static final long PAUSE_NANOS = 100_000_000;

    private static final long LOOK_NANOS = 100_000;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int CONTROL_DATA = 16;
    private static final int PACKET_INFO_SPACE = 40;

    private static final ThreadLocal<LateReply> LATE = ThreadLocal.withInitial(LateReply::new);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment state = Libc.newState(arena);
    private final Service service;
    private final boolean wildcard;
    private final int family;
    private final int socket;
    private final int port;
    /** A port that sends nothing (RFC 863). */
    private static final int DISCARD = 9;

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final byte[] MAPPED_LOOPBACK = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 127, 0, 0, 1};

    private final byte[] boundAddress;
    private final byte[] client = new byte[16];
    private final byte[] local = new byte[16];
    private final ReadWriteLock openness = new ReentrantReadWriteLock();
    private final DatagramRelay relay = new DatagramRelay();
    private final RateLimit failures = new RateLimit(3, Duration.ofMinutes(1), System::nanoTime);
    private final SpareExchanges spares = new SpareExchanges();
    private Exchange exchange = spares.take();
    private final Kept kept = new Kept();
    private final Counter unsent;
    private boolean closed;
    private volatile boolean finishing;

    /** Odd while the thread answers a batch; written by it alone. */
    private volatile int turns;

    private int turn;
    private volatile long deadlineNanos;
    private @Nullable Thread thread;

    /** What a thread sends replies with that come later; such threads are few, as are those of upstreams. */
    private static final class LateReply {
        private final Arena arena = Arena.ofAuto();
        private final MessageBatch batch = new MessageBatch(arena, 1, Dispatcher.MAX_UDP_SIZE);
        private final MemorySegment state = Libc.newState(arena);
    }

    FfmUdpSocket(ListenAddress address, int port, Service service) throws IOException {
        this.service = service;
        this.unsent = UdpEngine.unsentReplies(service);
        this.wildcard = address.isWildcard();
        InetAddress host = address.socketAddress(port).getAddress();
        boundAddress = host.getAddress();
        int wanted = wildcard || host instanceof Inet6Address ? Libc.AF_INET6 : Libc.AF_INET;
        int opened = Libc.socket(state, wanted, Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC);
        if (opened < 0 && wildcard) {
            wanted = Libc.AF_INET; // a kernel without IPv6
            opened = Libc.socket(state, wanted, Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC);
        }
        family = wanted;
        try (Arena scratch = Arena.ofConfined()) {
            socket = Libc.checked("socket", opened);
            configure(scratch);
            this.port = bind(scratch, host, port);
        } catch (IOException e) {
            if (opened >= 0) {
                Libc.close(state, opened);
            }
            arena.close();
            throw e;
        }
    }

    private void configure(Arena scratch) throws IOException {
        MemorySegment on = scratch.allocateFrom(INT, 1);
        MemorySegment off = scratch.allocateFrom(INT, 0);
        MemorySegment buffer = scratch.allocateFrom(INT, RECEIVE_BUFFER);
        MemorySegment timeout = scratch.allocateFrom(LONG, 0, RECEIVE_TIMEOUT_MICROS);
        Libc.checked("setsockopt(SO_REUSEPORT)", Libc.setOption(state, socket, Libc.SOL_SOCKET, Libc.SO_REUSEPORT, on));
        Libc.checked("setsockopt(SO_RCVTIMEO)", Libc.setOption(state, socket, Libc.SOL_SOCKET, Libc.SO_RCVTIMEO, timeout));
        if (Libc.setOption(state, socket, Libc.SOL_SOCKET, Libc.SO_RCVBUFFORCE, buffer) < 0) {
            Libc.setOption(state, socket, Libc.SOL_SOCKET, Libc.SO_RCVBUF, buffer); // as much as net.core.rmem_max allows
        }
        if (family == Libc.AF_INET6) {
            Libc.checked("setsockopt(IPV6_V6ONLY)",
                    Libc.setOption(state, socket, Libc.IPPROTO_IPV6, Libc.IPV6_V6ONLY, wildcard ? off : on));
        }
        if (wildcard && family == Libc.AF_INET6) {
            Libc.checked("setsockopt(IPV6_RECVPKTINFO)",
                    Libc.setOption(state, socket, Libc.IPPROTO_IPV6, Libc.IPV6_RECVPKTINFO, on));
        } else if (wildcard) {
            Libc.checked("setsockopt(IP_PKTINFO)", Libc.setOption(state, socket, Libc.IPPROTO_IP, Libc.IP_PKTINFO, on));
        }
    }

    private int bind(Arena scratch, InetAddress host, int wantedPort) throws IOException {
        MemorySegment name = scratch.allocate(MessageBatch.NAME_SIZE, 8);
        name.set(SHORT, 0, (short) family);
        name.set(PORT, 2, (short) wantedPort);
        if (!wildcard) {
            MemorySegment.copy(boundAddress, 0, name, ValueLayout.JAVA_BYTE, family == Libc.AF_INET ? 4 : 8, boundAddress.length);
            if (host instanceof Inet6Address v6) {
                name.set(INT, 24, v6.getScopeId());
            }
        }
        Libc.checked("bind", Libc.bind(state, socket, name, family == Libc.AF_INET ? 16 : MessageBatch.NAME_SIZE));
        MemorySegment length = scratch.allocateFrom(INT, MessageBatch.NAME_SIZE);
        Libc.checked("getsockname", Libc.socketName(state, socket, name, length));
        return name.get(PORT, 2) & 0xffff;
    }

    int port() {
        return port;
    }

    void start(String name) {
        thread = Thread.ofPlatform().daemon().name(name).start(Promptness.prompt(this::serve));
    }

    /** Closes a socket whose thread was never started. */
    void abandon() {
        close();
    }

    /**
     * Leaves new packets to sockets of other processes on the same port: the kernel gives a connected socket only what its peer sends, and
     * from this port of our own nothing ever comes. What has come already can be received and answered all the same.
     */
    void turnAway() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment callState = Libc.newState(scratch);
            MemorySegment name = scratch.allocate(MessageBatch.NAME_SIZE, 8);
            name.set(SHORT, 0, (short) family);
            name.set(PORT, 2, (short) DISCARD);
            byte[] peer = wildcard ? (family == Libc.AF_INET ? LOOPBACK : MAPPED_LOOPBACK) : boundAddress;
            MemorySegment.copy(peer, 0, name, ValueLayout.JAVA_BYTE, family == Libc.AF_INET ? 4 : 8, peer.length);
            int result = Libc.connect(callState, socket, name, family == Libc.AF_INET ? 16 : MessageBatch.NAME_SIZE);
            if (result < 0) {
                LOG.warning("connect on port " + port + ": errno " + -result + "; a few packets may be lost to the process that takes over");
            }
        }
    }

    /**
     * Asks the thread to stop when no more packets come and none is kept by a plugin, or at the latest after {@code grace}; at once if that is
     * nothing.
     */
    void finish(Duration grace) {
        deadlineNanos = System.nanoTime() + grace.toNanos();
        finishing = true;
        if (grace.isZero()) {
            wake();
        }
    }

    private void wake() {
        openness.readLock().lock();
        try (Arena scratch = Arena.ofConfined()) {
            if (!closed) {
                Libc.endReceiving(Libc.newState(scratch), socket);
            }
        } finally {
            openness.readLock().unlock();
        }
    }

    void awaitClosed() {
        Thread serving = thread;
        try {
            if (serving != null) {
                serving.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        Dispatcher.Worker worker = Dispatcher.worker();
        try (Arena own = Arena.ofConfined()) {
            MessageBatch batch = new MessageBatch(own, BATCH, Dispatcher.MAX_UDP_SIZE);
            MemorySegment callState = Libc.newState(own);
            boolean quiet = false;
            while (!finishing || (!(quiet && kept.isEmpty()) && System.nanoTime() - deadlineNanos < 0)) {
                int count = Libc.receiveMany(callState, socket, batch.receiveAddress(), batch.size(), Libc.MSG_WAITFORONE);
                quiet = count == Libc.EAGAIN;
                if (count > 0) {
                    turns = ++turn; // before the router is read
                    answer(batch, count, worker);
                    turns = ++turn;
                    count(batch.sendAll(callState, socket));
                    batch.prepare(count);
                } else if (count != Libc.EAGAIN && count != Libc.EINTR && count != 0) {
                    failed(count);
                }
            }
        } finally {
            close();
        }
    }

    private void count(int unsentReplies) {
        if (unsentReplies > 0) {
            unsent.add(unsentReplies);
        }
    }

    /** Pauses, so that a call that goes on failing does not take a whole processor. */
    private void failed(int result) {
        String line = failures.admit("recvmmsg on port " + port + ": errno " + -result);
        if (line != null) {
            LOG.error(line);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /** Waits until the thread is through with the batch it is at, if it is; what it answers after that is answered by the newest router. */
    void awaitTurn(long deadlineNanos) {
        int seen = turns;
        while ((seen & 1) != 0 && turns == seen && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void answer(MessageBatch batch, int count, Dispatcher.Worker worker) {
        Router router = service.router();
        ProxyProtocol proxy = service.proxy();
        for (int slot = 0; slot < count; slot++) {
            int size = batch.length(slot);
            if (size < 0) {
                continue; // larger than any query can be
            }
            batch.copyTo(slot, exchange.query().buffer(size), size);
            describe(batch, slot);
            if (proxy != null) {
                size = relay.unwrap(exchange, size, proxy);
                if (size == DatagramRelay.DROP) {
                    continue;
                }
            }
            int length = service.dispatcher().handle(exchange, size, router, worker, this);
            if (length > 0) {
                batch.reply(slot, worker.out(), length);
            } else if (length == Dispatcher.LATER) {
                exchange = spares.take();
                kept.begin();
            }
        }
    }

    /** Tells the exchange who asks and who was asked. */
    private void describe(MessageBatch batch, int slot) {
        MemorySegment names = batch.names();
        long name = MessageBatch.nameAt(slot);
        int clientPort = names.get(PORT, name + 2) & 0xffff;
        int length = family == Libc.AF_INET ? RawAddress.readV4(names, name + 4, client) : RawAddress.readV6(names, name + 8, client);
        byte[] asked = boundAddress;
        if (wildcard) {
            asked = local;
            readLocal(batch, slot);
        }
        exchange.from(Protocol.UDP, client, clientPort, asked, port, length);
        exchange.scope(family == Libc.AF_INET6 && RawAddress.isLinkLocal(names, name + 8) ? names.get(INT, name + 24) : 0);
    }

    /**
     * Reads which address was asked, and makes the control message fit to send the reply from there: without an interface, which the
     * routing table knows better, unless the address means something on one link only.
     */
    private void readLocal(MessageBatch batch, int slot) {
        if (batch.controlLength(slot) == 0) {
            return;
        }
        MemorySegment controls = batch.controls();
        long data = MessageBatch.controlAt(slot) + CONTROL_DATA;
        if (family == Libc.AF_INET) {
            RawAddress.readV4(controls, data + 8, local);
            controls.set(INT, data, 0);
        } else {
            RawAddress.readV6(controls, data, local);
            if (!RawAddress.isLinkLocal(controls, data)) {
                controls.set(INT, data + 16, 0);
            }
        }
    }

    @Override
    public void send(Exchange done, byte[] reply, int length) {
        try {
            if (length > 0) {
                sendLate(done, reply, length);
            }
        } finally {
            kept.end();
        }
    }

    @Override
    public void reuse(Exchange done) {
        spares.giveBack(done);
    }

    private void sendLate(Exchange done, byte[] reply, int length) {
        openness.readLock().lock();
        try {
            if (closed) {
                return; // the number may already belong to another file
            }
            LateReply late = LATE.get();
            MessageBatch batch = late.batch;
            batch.names().fill((byte) 0);
            batch.controls().fill((byte) 0);
            batch.fill(0, reply, length);
            int nameLength = family == Libc.AF_INET ? 16 : MessageBatch.NAME_SIZE;
            writePeer(done, batch.names());
            batch.toSend(0, length, nameLength, wildcard ? writeSource(done, batch.controls()) : 0);
            count(batch.sendAll(late.state, socket));
        } finally {
            openness.readLock().unlock();
        }
    }

    /** Writes where the reply goes: to the client, or to the load balancer that stands before it. */
    private void writePeer(Exchange done, MemorySegment name) {
        Relay by = done.relay();
        byte[] address = by == null ? done.clientAddress() : by.sender();
        name.set(SHORT, 0, (short) family);
        name.set(PORT, 2, (short) (by == null ? done.clientPort() : by.senderPort()));
        if (family == Libc.AF_INET) {
            MemorySegment.copy(address, 0, name, ValueLayout.JAVA_BYTE, 4, 4);
        } else {
            RawAddress.writeV6(address, by == null ? done.addressLength() : address.length, name, 8);
            name.set(INT, 24, done.scope());
        }
    }

    private long writeSource(Exchange done, MemorySegment control) {
        Relay by = done.relay();
        byte[] address = by == null ? done.localAddress() : by.local();
        boolean v4 = family == Libc.AF_INET;
        control.set(LONG, 0, CONTROL_DATA + (v4 ? 12 : 20));
        control.set(INT, 8, v4 ? Libc.IPPROTO_IP : Libc.IPPROTO_IPV6);
        control.set(INT, 12, v4 ? Libc.IP_PKTINFO : Libc.IPV6_PKTINFO);
        if (v4) {
            MemorySegment.copy(address, 0, control, ValueLayout.JAVA_BYTE, CONTROL_DATA + 4, 4);
            return 32;
        }
        RawAddress.writeV6(address, by == null ? done.addressLength() : address.length, control, CONTROL_DATA);
        control.set(INT, CONTROL_DATA + 16, done.scope());
        return PACKET_INFO_SPACE;
    }

    private void close() {
        openness.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                Libc.close(state, socket);
                arena.close();
            }
        } finally {
            openness.writeLock().unlock();
        }
    }
}
