package dev.cairn.testing;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.xbill.DNS.Message;

/** A client of DNS over TLS, by the JDK's sockets, which check that the certificate is for localhost. */
public final class TlsClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 120_000;

    private final Socket plain = new Socket();
    private final SSLSocket socket;
    private final DataInputStream in;

    public TlsClient(int port, SSLContext context) throws IOException {
        this(port, context.getSocketFactory(), new byte[0]);
    }

    /** @param before what to send ahead of TLS */
    public TlsClient(int port, SSLSocketFactory factory, byte[] before) throws IOException {
        plain.setTcpNoDelay(true);
        plain.setSoTimeout(TIMEOUT_MILLIS);
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        plain.getOutputStream().write(before);
        socket = (SSLSocket) factory.createSocket(plain, "localhost", port, true);
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        in = new DataInputStream(socket.getInputStream());
    }

    /** A client that speaks another protocol than DNS. */
    public static TlsClient withAlpn(int port, SSLContext context, String protocol) throws IOException {
        TlsClient client = new TlsClient(port, context);
        var parameters = client.socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        client.socket.setSSLParameters(parameters);
        return client;
    }

    public byte[] readNBytes(int count) throws IOException {
        return in.readNBytes(count);
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    public Message read() throws IOException {
        byte[] wire = new byte[in.readUnsignedShort()];
        in.readFully(wire);
        return new Message(wire);
    }

    public Message ask(Message query) throws IOException {
        send(TcpClient.frames(query));
        return read();
    }

    /** Who the server says to be. */
    public String subject() throws IOException {
        return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSubjectX500Principal().getName();
    }

    /** Waits for the server to end the connection, which it must. */
    public void awaitClose() throws IOException {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (EOFException e) {
            // ended as well
        }
    }

    @Override
    public void close() throws IOException {
        plain.close();
    }
}
