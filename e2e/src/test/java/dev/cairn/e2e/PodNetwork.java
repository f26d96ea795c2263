package dev.cairn.e2e;

import dev.cairn.testing.HttpGet;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * The network of a pod: a namespace with a loopback interface and another, in which programs are started and sockets of this process
 * opened. Needs root. Safe for use by any thread.
 */
final class PodNetwork implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int NETWORK = 0x40000000;   // CLONE_NEWNET
    private static final int TIMEOUT = 60_000;

    private final String name = "cairn-pod-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    private final List<ServerSocket> relays = new ArrayList<>();

    PodNetwork() throws IOException {
        must("ip", "netns", "add", name);
        for (String step : List.of("link set lo up", "link add eth0 type veth peer name other", "link set other up",
                "address add 10.244.7.2/24 dev eth0", "link set eth0 up")) {
            must(("ip -n " + name + " " + step).split(" "));
        }
    }

    private static void must(String... command) throws IOException {
        Programs.Result result;
        try {
            result = Programs.run(command);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        if (result.code() != 0) {
            throw new IOException(String.join(" ", command) + ": " + result.output());
        }
    }

    /** What to put before a command that shall run there. */
    List<String> prefix() {
        return List.of("nsenter", "--net=/run/netns/" + name);
    }

    /** What a program prints that is run there. */
    String run(String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(prefix());
        all.addAll(List.of(command));
        return Programs.run(all.toArray(String[]::new)).output();
    }

    /** What the kernel has counted of datagrams there, and which sockets it has for them. */
    String datagrams() {
        try {
            return run("sh", "-c", "grep -h Udp: /proc/net/snmp; cat /proc/net/udp /proc/net/udp6");
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e.toString();
        }
    }

    @Override
    public String toString() {
        return name;
    }

    /** Does something on a thread that is there; sockets stay where they are opened. */
    <T> T within(Callable<T> action) throws IOException {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                enter();
                result.complete(action.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Moves the current thread. */
    private void enter() throws IOException {
        Linker linker = Linker.nativeLinker();
        MethodHandle open = linker.downcallHandle(linker.defaultLookup().findOrThrow("open"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT), Linker.Option.firstVariadicArg(2));
        MethodHandle setns = linker.downcallHandle(linker.defaultLookup().findOrThrow("setns"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        MethodHandle close = linker.downcallHandle(linker.defaultLookup().findOrThrow("close"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom("/run/netns/" + name);
            int file = (int) open.invokeExact(path, 0);
            int entered = (int) setns.invokeExact(file, NETWORK);
            int closed = (int) close.invokeExact(file);
            if (entered != 0 || closed != 0) {
                throw new IOException("cannot enter " + name);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException(e);
        }
    }

    /** Lets programs there reach a port of this machine's loopback interface at the same port of theirs. */
    void reach(int port) throws IOException {
        ServerSocket listener = within(() -> new ServerSocket(port, 50, InetAddress.getLoopbackAddress()));
        relays.add(listener);
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket here = listener.accept();
                    Socket there = new Socket(InetAddress.getLoopbackAddress(), port);
                    Thread.ofVirtual().start(() -> copy(here, there));
                    Thread.ofVirtual().start(() -> copy(there, here));
                }
            } catch (IOException e) {
                // closed
            }
        });
    }

    private static void copy(Socket from, Socket to) {
        try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // either side has ended
        }
    }

    HttpGet get(int port, String path) throws IOException {
        return within(() -> HttpGet.of(URI.create("http://127.0.0.1:" + port + path)));
    }

    /** A client of the server on port 53. */
    Client client() throws IOException {
        return new Client(within(() -> new DatagramSocket(0, InetAddress.getLoopbackAddress())));
    }

    /** Asks one question after another. To be used by one thread. */
    static final class Client implements AutoCloseable {
        private final DatagramSocket socket;

        private Client(DatagramSocket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(TIMEOUT);
        }

        Message ask(String name, String type) throws IOException {
            byte[] question = Message.newQuery(Record.newRecord(Name.fromString(name, Name.root), Type.value(type), DClass.IN)).toWire();
            socket.send(new DatagramPacket(question, question.length, new InetSocketAddress(InetAddress.getLoopbackAddress(), 53)));
            DatagramPacket reply = new DatagramPacket(new byte[4096], 4096);
            socket.receive(reply);
            return new Message(java.util.Arrays.copyOf(reply.getData(), reply.getLength()));
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket relay : relays) {
            relay.close();
        }
        must("ip", "netns", "del", name);
    }
}
