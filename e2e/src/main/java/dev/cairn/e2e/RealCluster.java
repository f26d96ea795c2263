package dev.cairn.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd and a real kube-apiserver on loopback with role-based access control, but without controllers: what those do is written by
 * {@link KubeApi}. The API server can be killed and started again on its port while etcd keeps the cluster.
 */
public final class RealCluster implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(2);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int LOWEST_PORT = 12_000;
    private static final int FIRST_NODE_PORT = 30_000;
    private static final String ADMIN_TOKEN = "admin-of-the-tests";

    private final Path directory;
    private final int etcdPort = freePort();
    private final int port = freePort();
    private final Process etcd;
    private Process apiServer;

    private RealCluster(Path directory, List<String> etcdOptions) throws IOException {
        this.directory = Files.createDirectories(directory.toAbsolutePath());
        writeKeys();
        etcd = startEtcd(etcdOptions);
        try {
            apiServer = startApiServer(port);
            awaitReady(port, apiServer);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Starts both and waits until the API server says that it is ready. Everything they write goes below the directory. */
    public static RealCluster start(Path directory) throws IOException {
        return new RealCluster(directory, List.of());
    }

    /** Starts both with what another etcd has left, which {@link #data} was of, and which must have been put in the same place below the directory. */
    public static RealCluster startAgain(Path directory) throws IOException {
        return new RealCluster(directory, List.of("--force-new-cluster"));
    }

    /** Where etcd keeps everything, below the directory of a cluster. */
    public static Path data(Path directory) {
        return directory.resolve("etcd");
    }

    public String url() {
        return url(port);
    }

    private static String url(int port) {
        return "https://" + LOOPBACK + ":" + port;
    }

    public int port() {
        return port;
    }

    /** The certificate of the authority that signed the API server's. */
    public Path authority() {
        return directory.resolve("apiserver.crt");
    }

    /** A client that may do everything. */
    public KubeApi admin() {
        return new KubeApi(url(), ADMIN_TOKEN, authority());
    }

    /** Writes a kubeconfig for the bearer of a token. */
    public Path kubeconfig(String name, String token) throws IOException {
        return Files.writeString(directory.resolve(name + ".kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: real, cluster: {server: "%s", certificate-authority: "%s"}}]
                users: [{name: user, user: {token: "%s"}}]
                contexts: [{name: real, context: {cluster: real, user: user}}]
                current-context: real
                """.formatted(url(), authority(), token));
    }

    /** A kubeconfig that may do everything. */
    public Path adminKubeconfig() throws IOException {
        return kubeconfig("admin", ADMIN_TOKEN);
    }

    /** Ends the API server as a crash would. Does nothing if it is not running. */
    public void killApiServer() {
        apiServer.destroyForcibly().onExit().join();
    }

    /** Starts the API server again on the same port. */
    public void startApiServerAgain() throws IOException {
        apiServer = startApiServer(port);
        awaitReady(port, apiServer);
    }

    /** Starts the API server again if a test that failed has left it dead. */
    public void reviveApiServer() throws IOException {
        if (!apiServer.isAlive()) {
            startApiServerAgain();
        }
    }

    /** Runs a second API server of the same cluster on another port, to change things that the first one's clients do not see meanwhile. */
    public void behindTheScenes(Change change) throws IOException {
        int other = freePort();
        Process second = startApiServer(other);
        try {
            awaitReady(other, second);
            change.make(new KubeApi(url(other), ADMIN_TOKEN, authority()));
        } finally {
            second.destroyForcibly().onExit().join();
        }
    }

    /**
     * Puts an object into etcd as it is, past the API server, which would not take everything that clusters hold: its rules were looser once.
     */
    public void store(Map<String, Object> object) throws IOException {
        etcd("put", "\"value\":\"" + base64(KubeApi.json(object)) + "\",", object);
    }

    /** Takes an object out of etcd. */
    public void remove(Map<String, Object> object) throws IOException {
        etcd("deleterange", "", object);
    }

    private void etcd(String call, String fields, Map<String, Object> object) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + LOOPBACK + ":" + etcdPort + "/v3/kv/" + call))
                .POST(HttpRequest.BodyPublishers.ofString("{" + fields + "\"key\":\"" + base64(KubeApi.key(object)) + "\"}"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException("etcd: " + response.statusCode() + " " + response.body());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** What a service account has asked for so far, as {@code GROUP/RESOURCE VERB}; the first group has no name. */
    public Set<String> askedBy(String namespace, String account) throws IOException {
        Pattern request = Pattern.compile("\"verb\":\"(\\w+)\".*\"username\":\"system:serviceaccount:" + namespace + ":" + account
                + "\".*\"objectRef\":\\{\"resource\":\"([^\"]+)\"([^}]*)}");
        Pattern group = Pattern.compile("\"apiGroup\":\"([^\"]*)\"");
        Pattern part = Pattern.compile("\"subresource\":\"([^\"]*)\"");
        Set<String> asked = new TreeSet<>();
        for (String line : Files.readAllLines(directory.resolve("audit.log"))) {
            Matcher found = request.matcher(line);
            if (found.find()) {
                Matcher in = group.matcher(found.group(3));
                Matcher of = part.matcher(found.group(3));
                asked.add((in.find() ? in.group(1) : "") + "/" + found.group(2) + (of.find() ? "/" + of.group(1) : "") + " " + found.group(1));
            }
        }
        return asked;
    }

    /** The kinds of objects that a service account has begun to watch, one for each watch. */
    public List<String> watchedBy(String namespace, String account) throws IOException {
        Pattern watch = Pattern.compile("\"stage\":\"ResponseStarted\".*\"verb\":\"watch\".*\"username\":\"system:serviceaccount:" + namespace + ":"
                + account + "\".*\"objectRef\":\\{\"resource\":\"([^\"]+)\"");
        return Files.readAllLines(directory.resolve("audit.log")).stream().map(watch::matcher).filter(Matcher::find)
                .map(found -> found.group(1)).sorted().toList();
    }

    /** What is done to a cluster. */
    @FunctionalInterface
    public interface Change {
        void make(KubeApi api) throws IOException;
    }

    /** The processes of the API server and of etcd. */
    public List<Long> pids() {
        return List.of(apiServer.pid(), etcd.pid());
    }

    private void writeKeys() throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            String key = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
            Files.writeString(directory.resolve("accounts.key"), "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        Files.writeString(directory.resolve("tokens.csv"), ADMIN_TOKEN + ",admin,admin,system:masters\n");
        Files.writeString(directory.resolve("audit.yaml"), """
                apiVersion: audit.k8s.io/v1
                kind: Policy
                omitStages: [RequestReceived]
                rules: [{level: Metadata, userGroups: ["system:serviceaccounts"]}, {level: None}]
                """);
    }

    private Process startEtcd(List<String> options) throws IOException {
        String clients = "http://" + LOOPBACK + ":" + etcdPort;
        String others = "http://" + LOOPBACK + ":" + freePort();
        List<String> all = new ArrayList<>(List.of(
                "--data-dir", data(directory).toString(),
                "--listen-client-urls", clients,
                "--advertise-client-urls", clients,
                "--listen-peer-urls", others,
                "--initial-advertise-peer-urls", others,
                "--initial-cluster", "default=" + others,
                "--unsafe-no-fsync"));
        all.addAll(options);
        return run("etcd", all);
    }

    private Process startApiServer(int onPort) throws IOException {
        return run("kube-apiserver", List.of(
                "--etcd-servers=http://" + LOOPBACK + ":" + etcdPort,
                "--bind-address=" + LOOPBACK,
                "--advertise-address=" + LOOPBACK,
                "--secure-port=" + onPort,
                "--cert-dir=" + directory,
                "--token-auth-file=" + directory.resolve("tokens.csv"),
                "--audit-policy-file=" + directory.resolve("audit.yaml"),
                "--audit-log-path=" + directory.resolve("audit.log"),
                "--authorization-mode=RBAC",
                "--allow-privileged=true",
                "--service-cluster-ip-range=10.96.0.0/16,fd00:96::/112",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-signing-key-file=" + directory.resolve("accounts.key"),
                "--service-account-key-file=" + directory.resolve("accounts.key"),
                // No controller makes the accounts that pods would run as, and none would write the endpoints of the API server.
                "--disable-admission-plugins=ServiceAccount",
                "--endpoint-reconciler-type=none"));
    }

    private Process run(String name, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Peers.find(name).toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
                .start();
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private void awaitReady(int onPort, Process process) throws IOException {
        long end = System.nanoTime() + START.toNanos();
        @Nullable IOException last = null;
        while (System.nanoTime() < end && process.isAlive() && etcd.isAlive()) {
            try {
                if (Files.exists(authority())) {
                    new KubeApi(url(onPort), ADMIN_TOKEN, authority()).get("/readyz");
                    return;
                }
            } catch (IOException e) {
                last = e;
            }
            pause();
        }
        throw new IOException("the API server is not ready; see " + log("kube-apiserver") + " and " + log("etcd"), last);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * A port for a program that cannot be told to let the kernel choose. It is used seconds later, so it is none of those that the kernel gives away
     * by itself meanwhile, nor a node port.
     */
    static int freePort() {
        try {
            String range = Files.readAllLines(Path.of("/proc/sys/net/ipv4/ip_local_port_range")).getFirst();
            int givenAway = Integer.parseInt(range.strip().split("\\s+", 2)[0]);
            int end = Math.min(givenAway, FIRST_NODE_PORT);
            while (true) {
                int candidate = end > LOWEST_PORT ? ThreadLocalRandom.current().nextInt(LOWEST_PORT, end) : 0;
                try (ServerSocket socket = new ServerSocket(candidate, 1, InetAddress.getLoopbackAddress())) {
                    return socket.getLocalPort();
                } catch (BindException e) {
                    // another one, then
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (apiServer != null) {
            apiServer.destroyForcibly().onExit().join();
        }
        etcd.destroyForcibly().onExit().join();
    }
}
