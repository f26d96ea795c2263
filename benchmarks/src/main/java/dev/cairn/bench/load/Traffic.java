package dev.cairn.bench.load;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Endpoints that tell who they are, and connections to services, all on this machine. A thread for each endpoint. */
public final class Traffic implements AutoCloseable {
    public static final int PORT = 8080;

    /** Long enough for loopback; what is not programmed yet is dropped, and is tried again. */
    private static final int CONNECT_MILLIS = 2;
    private static final int READ_MILLIS = 1000;
    /** With two endpoints, the one that is gone is not seen for so many connections by chance once in a million. */
    private static final int SURE = 20;
    private static final int NOBODY = -1;

    private final List<ServerSocket> listeners = new ArrayList<>();

    /** Lets an address, which the machine must have, answer with a number. */
    public void listen(String address, int number) throws IOException {
        ServerSocket listener = new ServerSocket();
        listeners.add(listener);
        listener.bind(new InetSocketAddress(address, PORT), 1000);
        Thread.ofPlatform().daemon().start(() -> answer(listener, number));
    }

    private static void answer(ServerSocket listener, int number) {
        while (!listener.isClosed()) {
            try (Socket client = listener.accept()) {
                client.getOutputStream().write(number);
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    System.err.println("endpoint " + number + ": " + e);
                }
            }
        }
    }

    /** Who answers at a service's address; {@link #NOBODY} if none does. */
    private static int ask(String address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(READ_MILLIS);
            socket.connect(new InetSocketAddress(address, 80), CONNECT_MILLIS);
            return socket.getInputStream().read();
        } catch (SocketTimeoutException | ConnectException | NoRouteToHostException e) {
            return NOBODY;
        } catch (SocketException e) {
            return NOBODY;   // reset while its rules changed
        }
    }

    /** Waits until a service answers at all; when it did ({@link System#nanoTime}). */
    public static long awaitAnswer(String address, int seconds, BooleanSupplier goingOn) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (ask(address) == NOBODY) {
            if (System.nanoTime() > until || !goingOn.getAsBoolean()) {
                throw new IOException("no answer at " + address);
            }
        }
        return System.nanoTime();
    }

    /** Waits until an endpoint answers. */
    public static void awaitAnswerOf(int number, String address, int seconds) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (ask(address) != number) {
            if (System.nanoTime() > until) {
                throw new IOException("no answer of endpoint " + number + " at " + address);
            }
        }
    }

    /** Waits until only one of two endpoints answers; when its first answer came after which the other gave none. */
    public static long awaitAllTo(int number, String address, int seconds) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long since = 0;
        int inRow = 0;
        while (inRow < SURE) {
            inRow = ask(address) == number ? inRow + 1 : 0;
            long now = System.nanoTime();
            since = inRow == 1 ? now : since;
            if (now > until) {
                throw new IOException("others than endpoint " + number + " still answer at " + address);
            }
        }
        return since;
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket listener : listeners) {
            listener.close();
        }
    }
}
