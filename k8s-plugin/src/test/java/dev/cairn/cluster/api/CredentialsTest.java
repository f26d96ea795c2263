package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {
    private static final WatchScope SERVICES = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, false, false, false);
    private static final Timing QUICK =
            new Timing(Duration.ofMillis(2), Duration.ofMillis(20), Duration.ofMinutes(2), Duration.ofMinutes(10), Duration.ofMinutes(5));

    private static final String PASSWORD = "changeit";

    @TempDir
    Path directory;

    private final Recorder heard = new Recorder();
    private final Lines log = new Lines();

    private ApiSource start(ApiOptions options, Map<String, String> environment) {
        ApiSource source = new ApiSource(options, environment, SERVICES, ApiObserver.NONE, QUICK, log);
        source.start(heard);
        return source;
    }

    private Path kubeconfig(FakeApi api, String token) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: one
                clusters:
                - {name: here, cluster: {server: "%s"}}
                users:
                - {name: first, user: {token: first-token}}
                - {name: second, user: {token: %s}}
                - {name: third, user: {tokenFile: token}}
                - name: program
                  user:
                    exec:
                      apiVersion: client.authentication.k8s.io/v1
                      command: cat
                      args: ["%s"]
                      interactiveMode: Never
                contexts:
                - {name: one, context: {cluster: here, user: first}}
                - {name: two, context: {cluster: here, user: second}}
                - {name: exec, context: {cluster: here, user: program}}
                - {name: file, context: {cluster: here, user: third}}
                """.formatted(api.url(), token, directory.resolve("credential.json")));
    }

    private void awaitSync() {
        await().untilAsserted(() -> assertThat(heard.heard(Resource.SERVICES)).contains("synced"));
        await().untilAsserted(() -> assertThat(heard.heard(Resource.NAMESPACES)).contains("synced"));
    }

    @Test
    void a_kubeconfig_is_used_with_its_current_context() throws IOException {
        try (FakeApi api = FakeApi.start();
                ApiSource source = start(ApiOptions.fromKubeconfig(kubeconfig(api, "second-token"), null), Map.of())) {
            awaitSync();
            assertThat(api.tokens()).containsExactly("Bearer first-token");
            assertThat(source.server()).isEqualTo(api.url());
        }
    }

    @Test
    void a_kubeconfig_is_used_with_the_context_that_is_asked_for() throws IOException {
        try (FakeApi api = FakeApi.start();
                ApiSource _ = start(ApiOptions.fromKubeconfig(kubeconfig(api, "second-token"), "two"), Map.of())) {
            awaitSync();
            assertThat(api.tokens()).containsExactly("Bearer second-token");
        }
    }

    @Test
    void a_token_may_be_in_a_file_of_its_own() throws IOException {
        Files.writeString(directory.resolve("token"), "from-a-file\n");
        try (FakeApi api = FakeApi.start();
                ApiSource _ = start(ApiOptions.fromKubeconfig(kubeconfig(api, "x"), "file"), Map.of())) {
            awaitSync();
            assertThat(api.tokens()).containsExactly("Bearer from-a-file");
        }
    }

    @Test
    void a_credential_may_come_from_a_program() throws IOException {
        Files.writeString(directory.resolve("credential.json"), """
                {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"from-a-program"}}""");
        try (FakeApi api = FakeApi.start();
                ApiSource _ = start(ApiOptions.fromKubeconfig(kubeconfig(api, "x"), "exec"), Map.of())) {
            awaitSync();
            assertThat(api.tokens()).containsExactly("Bearer from-a-program");
        }
    }

    @Test
    void refused_credentials_are_read_again() throws IOException {
        try (FakeApi api = FakeApi.start()) {
            Path file = kubeconfig(api, "old");
            FakeApi.Reply refuse = call -> {
                kubeconfig(api, "new");
                call.status(401, "Unauthorized");
            };
            api.list("services", refuse, refuse, refuse);
            try (ApiSource _ = start(ApiOptions.fromKubeconfig(file, "two"), Map.of())) {
                awaitSync();
                assertThat(api.tokens()).last().isEqualTo("Bearer new");
            }
        }
    }

    @Test
    void what_is_wrong_with_a_kubeconfig_is_said() throws IOException {
        try (FakeApi api = FakeApi.start()) {
            Path file = kubeconfig(api, "x");
            assertThatThrownBy(() -> new Credentials(ApiOptions.fromKubeconfig(file, "three"), Map.of()).read())
                    .hasMessageContaining("has no context \"three\"; it has exec, file, one, two");
            Path absent = directory.resolve("absent");
            assertThatThrownBy(() -> new Credentials(ApiOptions.fromKubeconfig(absent, null), Map.of()).read())
                    .hasMessageContaining(absent + " cannot be read");
        }
        assertThatThrownBy(() -> new Credentials(ApiOptions.inCluster(), Map.of()).read())
                .hasMessageContaining("KUBERNETES_SERVICE_HOST is not set");
    }

    @Test
    void a_kubeconfig_that_is_absent_at_the_start_is_waited_for() throws IOException {
        try (FakeApi api = FakeApi.start();
                ApiSource _ = start(ApiOptions.fromKubeconfig(directory.resolve("kubeconfig"), null), Map.of())) {
            await().untilAsserted(() -> assertThat(log.all()).hasSize(1).first().asString()
                    .contains("kubeconfig cannot be read; serving what is known"));
            Path part = Files.move(kubeconfig(api, "x"), directory.resolve("part"));
            Files.move(part, directory.resolve("kubeconfig"));
            awaitSync();
        }
    }

    @Test
    void a_pod_uses_its_service_account_and_follows_its_token() throws Exception {
        KeyStore keys = keys("server");
        pem(directory.resolve("ca.crt"), "CERTIFICATE", keys.getCertificate("server").getEncoded());
        Files.writeString(directory.resolve("token"), "token-1\n");
        try (FakeApi api = new FakeApi(https(keys, null))) {
            api.watch("services", call -> {
                await().until(() -> !api.requests("watch namespaces").isEmpty());   // no other request is under way with the old token
                Files.writeString(directory.resolve("token"), "token-2\n");
                call.line(FakeApi.bookmark("9"));
                call.end();
            });
            try (ApiSource source = start(ApiOptions.inCluster().withServiceAccount(directory), pod(api))) {
                await().untilAsserted(() -> assertThat(api.tokens()).containsExactly("Bearer token-1", "Bearer token-2"));
                assertThat(source.server()).isEqualTo("https://127.0.0.1:" + api.port());
            }
        }
        assertThat(log.all()).isEmpty();
    }

    @Test
    void an_endpoint_is_reached_with_a_client_certificate() throws Exception {
        KeyStore server = keys("server");
        KeyStore client = keys("client");
        Path certificate = pem(directory.resolve("client.crt"), "CERTIFICATE", client.getCertificate("client").getEncoded());
        Key key = client.getKey("client", PASSWORD.toCharArray());
        Path keyFile = pem(directory.resolve("client.key"), "PRIVATE KEY", key.getEncoded());
        Path authority = pem(directory.resolve("ca.crt"), "CERTIFICATE", server.getCertificate("server").getEncoded());
        try (FakeApi api = new FakeApi(https(server, client.getCertificate("client")))) {
            String url = "https://127.0.0.1:" + api.port();
            try (ApiSource _ = start(ApiOptions.atEndpoint(url, new ApiOptions.Tls(certificate, keyFile, authority)), Map.of())) {
                awaitSync();
            }
        }
        assertThat(log.all()).isEmpty();
    }

    @Test
    void a_certificate_that_is_not_trusted_is_told_and_replaced_later() throws Exception {
        KeyStore server = keys("server");
        KeyStore other = keys("other");
        pem(directory.resolve("ca.crt"), "CERTIFICATE", other.getCertificate("other").getEncoded());
        Files.writeString(directory.resolve("token"), "t");
        try (FakeApi api = new FakeApi(https(server, null))) {
            try (ApiSource _ = start(ApiOptions.inCluster().withServiceAccount(directory), pod(api))) {
                await().untilAsserted(() -> assertThat(log.all()).isNotEmpty().first().asString().contains("away: TLS: "));
                pem(directory.resolve("ca.crt"), "CERTIFICATE", server.getCertificate("server").getEncoded());
                awaitSync();
            }
        }
    }

    @Test
    void an_authority_that_is_named_is_trusted_alone() throws Exception {
        KeyStore server = keys("server");
        pem(directory.resolve("ca.crt"), "CERTIFICATE", keys("other").getCertificate("other").getEncoded());
        Files.writeString(directory.resolve("token"), "t");
        Properties before = (Properties) System.getProperties().clone();
        System.setProperty("javax.net.ssl.trustStore", directory.resolve("server.p12").toString());
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
        try (FakeApi api = new FakeApi(https(server, null));
                ApiSource _ = start(ApiOptions.inCluster().withServiceAccount(directory), pod(api))) {
            await().untilAsserted(() -> assertThat(log.all()).isNotEmpty().first().asString().contains("away: TLS: "));
            assertThat(api.tokens()).isEmpty();
        } finally {
            System.setProperties(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"IP:127.0.0.2", "IP:::1", "DNS:localhost", "DNS:127.0.0.1"})
    void a_certificate_of_another_server_is_refused(String name) throws Exception {
        serve(name, "127.0.0.1", api -> {
            await().untilAsserted(() -> assertThat(log.all()).isNotEmpty().first().asString()
                    .contains("away: TLS: no name in the server's certificate is the address 127.0.0.1"));
            assertThat(api.tokens()).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({"localhost, DNS:localhost", "127.0.0.1, 'DNS:other,IP:10.0.0.1,IP:127.0.0.1'", "::ffff:127.0.0.1, IP:127.0.0.1"})
    void a_certificate_may_name_the_server_in_every_way(String host, String names) throws Exception {
        serve(names, host, _ -> awaitSync());
        assertThat(log.all()).isEmpty();
    }

    @Test
    void a_host_name_that_the_certificate_lacks_is_refused() throws Exception {
        serve("IP:127.0.0.1", "localhost", api -> {
            await().untilAsserted(() -> assertThat(log.all()).isNotEmpty().first().asString().contains("away: TLS: "));
            assertThat(api.tokens()).isEmpty();
        });
    }

    /** Reads a cluster as a pod does, from a server whose certificate, of an authority that is trusted, has these names. */
    private void serve(String names, String host, CheckedConsumer<FakeApi> meanwhile) throws Exception {
        KeyStore authority = keys("authority");
        keytool(directory.resolve("authority.p12"), "-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=127.0.0.1",
                "-ext", "SAN=" + names, "-validity", "3", "-signer", "authority");
        pem(directory.resolve("ca.crt"), "CERTIFICATE", authority.getCertificate("authority").getEncoded());
        Files.writeString(directory.resolve("token"), "t");
        KeyStore all = load(directory.resolve("authority.p12"));
        all.deleteEntry("authority");
        try (FakeApi api = new FakeApi(https(all, null));
                ApiSource _ = start(ApiOptions.inCluster().withServiceAccount(directory),
                        Map.of("KUBERNETES_SERVICE_HOST", host, "KUBERNETES_SERVICE_PORT", Integer.toString(api.port())))) {
            meanwhile.accept(api);
        }
    }

    @FunctionalInterface
    private interface CheckedConsumer<T> {
        void accept(T value) throws Exception;
    }

    @ParameterizedTest
    @CsvSource({"RSA, x25519", "RSA, secp256r1", "EC, x25519", "EC, secp256r1"})
    void a_server_is_reached_whatever_its_key_and_groups(String algorithm, String groups) throws Exception {
        KeyStore authority = keys("authority", "RSA");
        keytool(directory.resolve("authority.p12"), "-genkeypair", "-alias", "server", "-keyalg", algorithm, "-dname", "CN=server",
                "-ext", "SAN=IP:127.0.0.1", "-validity", "3", "-signer", "authority");
        pem(directory.resolve("ca.crt"), "CERTIFICATE", authority.getCertificate("authority").getEncoded());
        Files.writeString(directory.resolve("token"), "t");
        KeyStore all = load(directory.resolve("authority.p12"));
        all.deleteEntry("authority");
        try (FakeApi api = new FakeApi(https(all, null, groups.split(";")));
                ApiSource _ = start(ApiOptions.inCluster().withServiceAccount(directory), pod(api))) {
            awaitSync();
        }
        assertThat(log.all()).isEmpty();
    }

    @Test
    void a_file_without_an_authority_is_told() throws Exception {
        Files.writeString(directory.resolve("ca.crt"), "");
        Files.writeString(directory.resolve("token"), "t");
        try (FakeApi api = FakeApi.start();
                ApiSource _ = start(ApiOptions.inCluster().withServiceAccount(directory), pod(api))) {
            await().untilAsserted(() -> assertThat(log.all()).isNotEmpty().first().asString()
                    .contains("there is no certificate of an authority in " + directory.resolve("ca.crt")));
        }
    }

    private static Map<String, String> pod(FakeApi api) {
        return Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT", Integer.toString(api.port()));
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }

    /** A key and a certificate that signs itself, made by the JDK's keytool. */
    private KeyStore keys(String alias) throws Exception {
        return keys(alias, "EC");
    }

    private KeyStore keys(String alias, String algorithm) throws Exception {
        Path file = directory.resolve(alias + ".p12");
        keytool(file, "-genkeypair", "-alias", alias, "-keyalg", algorithm, "-dname", "CN=" + alias, "-ext", "SAN=IP:127.0.0.1", "-ext", "bc:c",
                "-validity", "3");
        return load(file);
    }

    private void keytool(Path store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", store.toString()));
        Path output = directory.resolve("keytool.log");
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertThat(keytool.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(keytool.exitValue()).as(Files.readString(output)).isZero();
    }

    private static KeyStore load(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    /** A server with this key, which demands a client with that certificate if there is one, and takes keys of these groups if some are given. */
    private static HttpsServer https(KeyStore keys, Certificate client, String... groups) throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        if (client != null) {
            trusted.setCertificateEntry("client", client);
        }
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters tls = context.getDefaultSSLParameters();
                tls.setNeedClientAuth(client != null);
                if (groups.length > 0) {
                    tls.setNamedGroups(groups);
                }
                parameters.setSSLParameters(tls);
            }
        });
        return server;
    }
}
