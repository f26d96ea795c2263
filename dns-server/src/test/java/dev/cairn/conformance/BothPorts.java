package dev.cairn.conformance;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A TCP and a UDP socket of loopback with the same number, of the kernel's choice. */
record BothPorts(ServerSocket tcp, DatagramSocket udp) implements AutoCloseable {
    static BothPorts open() throws IOException {
        while (true) {
            ServerSocket tcp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            try {
                return new BothPorts(tcp, new DatagramSocket(tcp.getLocalPort(), InetAddress.getLoopbackAddress()));
            } catch (BindException e) {
                tcp.close(); // taken for UDP: the next
            }
        }
    }

    int number() {
        return tcp.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        tcp.close();
        udp.close();
    }
}
