import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * An API server with some services, for the training run of installDist: it has the server load and warm up what reading a cluster takes, TLS
 * included. Beside it is a DNS server that knows one address for all names, to forward to. Run as
 * {@code java TrainingApi.java DIRECTORY SERVICES}; writes DIRECTORY/kubeconfig, certificate, key, and upstream with the address of the DNS server,
 * then a line with its URL, and ends when its standard input does.
 */
final class TrainingApi {
    private static final String PASSWORD = "training";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final byte[] MARK = "k8s\0".getBytes();
    private static final int ENDPOINTS = 10;
    private static final int EVENTS = 200;
    private static int services;

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        services = Integer.parseInt(args[1]);
        KeyStore keys = keys(directory.resolve("keys.p12"));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", TrainingApi::answer);
        server.start();
        String certificate = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getCertificate("server").getEncoded()) + "\n-----END CERTIFICATE-----\n";
        Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: t, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}]
                users: [{name: t, user: {token: training}}]
                contexts: [{name: t, context: {cluster: t, user: t}}]
                current-context: t
                """.formatted(server.getAddress().getPort(), Base64.getEncoder().encodeToString(certificate.getBytes())));
        // The same for the endpoint and tls options; a client shows the server's own certificate, since nobody looks at it.
        Files.writeString(directory.resolve("certificate"), certificate);
        Files.writeString(directory.resolve("key"), "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getKey("server", PASSWORD.toCharArray()).getEncoded()) + "\n-----END PRIVATE KEY-----\n");
        DatagramSocket upstream = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> answer(upstream));
        Files.writeString(directory.resolve("upstream"), "127.0.0.1:" + upstream.getLocalPort());
        System.out.println("https://127.0.0.1:" + server.getAddress().getPort());
        while (System.in.read() >= 0) {}
        System.exit(0);
    }

    private static KeyStore keys(Path file) throws Exception {
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "server",
                "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=training", "-ext", "san=ip:127.0.0.1", "-ext", "eku=serverAuth,clientAuth",
                "-ext", "ku=digitalSignature,keyEncipherment", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", PASSWORD).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException(said);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    /** Each question with one record, 192.0.2.1, at its name. */
    private static void answer(DatagramSocket upstream) {
        byte[] buffer = new byte[4096];
        byte[] record = {(byte) 0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, (byte) 192, 0, 2, 1};
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                upstream.receive(packet);
                int end = 12;
                while (buffer[end] != 0) {
                    end += buffer[end] + 1;
                }
                end += 5;
                byte[] head = {buffer[0], buffer[1], (byte) (buffer[2] | 0x80), (byte) 0x80, 0, 1, 0, 1, 0, 0, 0, 0};
                byte[] reply = bytes(head, Arrays.copyOfRange(buffer, 12, end), record);
                upstream.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String kind = exchange.getRequestURI().getPath().replaceAll(".*/", "");
        if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
            exchange.getResponseHeaders().set("Content-Type", PROTOBUF + ";stream=watch");
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < EVENTS; i++) {
                exchange.getResponseBody().write(event(kind, i));
                exchange.getResponseBody().flush();
            }
            return;   // and stays open
        }
        exchange.getResponseHeaders().set("Content-Type", PROTOBUF);
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = new GZIPOutputStream(exchange.getResponseBody(), 1 << 14)) {
            out.write(list(kind));
        }
        exchange.close();
    }

    /** A bookmark, or an object of the list in a later version, in the form that events of a watch have. */
    private static byte[] event(String kind, int i) {
        byte[] object = object(kind, i, "3");
        byte[] event = bytes(text(1, object.length == 0 ? "BOOKMARK" : "MODIFIED"), message(2, message(1, bytes(MARK, message(2, object)))));
        return bytes(new byte[] {0, 0, (byte) (event.length >> 8), (byte) event.length}, event);
    }

    /** Numbers of fields are those of generated.proto in k8s.io/api. */
    private static byte[] list(String kind) {
        ByteArrayOutputStream items = new ByteArrayOutputStream();
        for (int i = 0; i < services; i++) {
            byte[] object = object(kind, i, "2");
            if (object.length > 0) {
                items.writeBytes(message(2, object));
            }
        }
        return bytes(MARK, message(2, message(1, text(2, "2")), items.toByteArray()));
    }

    /** One of the objects of a kind; empty if there is none. */
    private static byte[] object(String kind, int i, String version) {
        String namespace = "training-" + i % 10;
        byte[] port = bytes(text(1, "http"), text(2, "TCP"), new byte[] {3 << 3, 80});
        if (kind.equals("namespaces")) {
            return i < 10 ? message(1, text(1, namespace), text(6, version)) : new byte[0];
        }
        byte[] metadata = message(1, text(1, "training-" + i), text(3, namespace), text(6, version),
                message(11, text(1, "kubernetes.io/service-name"), text(2, "training-" + i)),
                message(12, text(1, "endpoints.kubernetes.io/last-change-trigger-time"), text(2, "2026-01-01T00:00:00Z")),
                message(17, text(1, "kube-controller-manager"), text(2, "Update"), text(6, "FieldsV1"), message(7, new byte[400])));
        String address = i % 10 == 0 ? "None" : "10.96." + i / 250 % 250 + "." + (1 + i % 250);
        return switch (kind) {
            case "services" -> bytes(metadata, message(2, message(1, port), text(3, address), text(4, "ClusterIP"), text(18, address)),
                    message(3, message(1)));   // a status that tells of no load balancer
            case "endpointslices" -> {
                ByteArrayOutputStream slice = new ByteArrayOutputStream();
                slice.writeBytes(metadata);
                for (int e = 0; e < ENDPOINTS; e++) {
                    int pod = i * ENDPOINTS + e;
                    slice.writeBytes(message(2, text(1, "10." + (128 + (pod >> 16)) + "." + (pod >> 8 & 255) + "." + (pod & 255)),
                            message(2, new byte[] {1 << 3, 1, 2 << 3, 1, 3 << 3, 0}), text(3, i % 10 == 0 ? "pod-" + e : ""),
                            message(4, text(1, "Pod"), text(2, namespace), text(3, "training-" + i + "-7d4b9c-" + pod)), text(6, "node-" + pod % 100),
                            text(7, "zone-" + pod % 3)));
                }
                yield bytes(slice.toByteArray(), message(3, port), text(4, "IPv4"));
            }
            default -> new byte[0];
        };
    }

    private static byte[] text(int field, String value) {
        return message(field, value.getBytes());
    }

    private static byte[] message(int field, byte[]... parts) {
        byte[] content = bytes(parts);
        return bytes(varint(field << 3 | 2), varint(content.length), content);
    }

    private static byte[] varint(int value) {
        return value < 128 ? new byte[] {(byte) value} : bytes(new byte[] {(byte) (value | 128)}, varint(value >>> 7));
    }

    private static byte[] bytes(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
