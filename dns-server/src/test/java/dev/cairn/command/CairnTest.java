package dev.cairn.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Type;

/** The command as a user meets it: what is typed, what is printed, how it ends. */
class CairnTest {
    @TempDir
    Path directory;

    private Path corefile(String text) throws IOException {
        return Files.writeString(directory.resolve("Corefile"), text);
    }

    private List<String> runToEnd(int expectedCode, String... args) throws Exception {
        try (CairnProcess cairn = CairnProcess.start(directory, args)) {
            assertThat(cairn.awaitExit()).as("exit code, output %s", cairn.output()).isEqualTo(expectedCode);
            assertThat(cairn.output()).noneMatch(line -> line.startsWith("\tat ") || line.contains("Exception"));
            return cairn.output();
        }
    }

    private static String dig(int port, String... question) throws Exception {
        String[] command = new String[question.length + 6];
        List<String> fixed = List.of("dig", "@127.0.0.1", "-p", Integer.toString(port), "+time=60", "+tries=1");
        System.arraycopy(fixed.toArray(), 0, command, 0, 6);
        System.arraycopy(question, 0, command, 6, question.length);
        return Programs.run(command).output();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-version", "--version"})
    void versionTellsNameNumberAndCommit(String flag) throws Exception {
        assertThat(runToEnd(0, flag)).hasSize(2).first().asString().matches("Cairn-[0-9.]+.*");
    }

    @Test
    void helpTellsFlagsAndExamples() throws Exception {
        assertThat(String.join("\n", runToEnd(0, "--help"))).contains("-conf", "-dns.port", "-pidfile", "-quiet", "check", "Examples:", "USR1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-plugins", "--plugins", "plugins"})
    void pluginsAreListedInTheirOrder(String argument) throws Exception {
        assertThat(runToEnd(0, argument)).contains("whoami");
    }

    @Test
    void anUnknownFlagIsOneClearLine() throws Exception {
        assertThat(runToEnd(2, "-cnof", "Corefile")).first().asString().contains("Unknown option").contains("-cnof");
    }

    @Test
    void aMissingCorefileIsOneClearLine() throws Exception {
        assertThat(runToEnd(2, "-conf", "nowhere/Corefile")).singleElement().asString().contains("nowhere/Corefile");
    }

    @Test
    void allMistakesAreToldAtOnceWithTheirLines() throws Exception {
        corefile(".:0 {\n whomai\n erors\n}\n");
        assertThat(runToEnd(2, "-conf", "Corefile"))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("Corefile:2: ").contains("did you mean 'whoami'"),
                        second -> assertThat(second).startsWith("Corefile:3: ").contains("did you mean 'errors'"));
    }

    @Test
    void aPluginThatOnlyCoreDnsHasIsNamedWithTheWayOut() throws Exception {
        corefile(".:0 {\n geoip /no.mmdb\n whoami\n}\n");
        assertThat(runToEnd(2, "-conf", "Corefile")).singleElement().asString().startsWith("Corefile:2: ").contains("geoip").contains("licensed");
    }

    @Test
    void aPortInUseIsOneClearLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            corefile(".:" + taken.getLocalPort() + " {\n whoami\n}\n");
            assertThat(runToEnd(1, "-conf", "Corefile")).singleElement().asString().contains("in use").contains("-dns.port");
        }
    }

    @Test
    void aPidFileOfBeforeDoesNotSayThatTheServerIsUp() throws Exception {
        Path pidFile = Files.writeString(directory.resolve("pid"), "1\n");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            corefile(".:" + taken.getLocalPort() + " {\n whoami\n}\n");
            runToEnd(1, "-conf", "Corefile", "-pidfile", "pid");
        }
        assertThat(pidFile).doesNotExist();
    }

    @Test
    void servesAndStopsGracefullyOnTerm() throws Exception {
        corefile(".:0 {\n whoami\n}\n");
        Path pidFile = directory.resolve("pid");
        try (CairnProcess cairn = CairnProcess.start(directory, "-conf", "Corefile", "-pidfile", "pid")) {
            int port = cairn.port();
            cairn.awaitOutput("[INFO] serving Corefile at dns://:" + port + " (UDP by ");
            assertThat(dig(port, "example.org")).contains("status: NOERROR");
            assertThat(dig(port, "+tcp", "example.org")).contains("_tcp.example.org");
            assertThat(Files.readString(pidFile).strip()).isEqualTo(Long.toString(cairn.pid()));
            cairn.signal("TERM");
            assertThat(cairn.awaitExit()).isZero();
            assertThat(pidFile).doesNotExist();
        }
    }

    @Test
    void takesTheCorefileOfTheDirectoryAndTheDefaultPortOfTheFlag() throws Exception {
        corefile("example.org {\n whoami\n}\n");
        try (CairnProcess cairn = CairnProcess.start(directory, "-p=0")) {
            int port = cairn.port();
            assertThat(dig(port, "a.example.org")).contains("status: NOERROR");
            assertThat(dig(port, "example.net")).contains("status: REFUSED");
        }
    }

    @Test
    void servesWhoamiWithoutAnyCorefile() throws Exception {
        try (CairnProcess cairn = CairnProcess.start(directory, "--dns.port", "0")) {
            assertThat(dig(cairn.port(), "example.org")).contains("_udp.example.org");
        }
    }

    @Test
    void reloadsOnUsr1AndKeepsTheOldConfigurationIfTheNewOneIsBad() throws Exception {
        Path file = corefile("example.org:0 {\n whoami\n}\n");
        try (CairnProcess cairn = CairnProcess.start(directory, "-conf", "Corefile")) {
            int port = cairn.port();
            Files.writeString(file, "example.org:0 example.net:0 {\n whoami\n}\n");
            cairn.signal("USR1");
            cairn.awaitOutput("Reloading complete");
            assertThat(dig(port, "example.net")).contains("status: NOERROR");
            Files.writeString(file, "example.com:0 {\n whomai\n}\n");
            cairn.signal("USR1");
            cairn.awaitOutput("Reloading failed");
            assertThat(cairn.output()).anyMatch(line -> line.contains("Corefile:2: "));
            assertThat(dig(port, "example.net")).contains("status: NOERROR");
        }
    }

    /** A client that asks without a pause gets every answer until the port is closed, which the kernel tells it. */
    @Test
    void answersToTheLastPacketWhenItStops() throws Exception {
        corefile(".:0 {\n whoami\n}\n");
        byte[] query = TestServer.query("example.org", Type.A).toWire();
        try (CairnProcess cairn = CairnProcess.start(directory, "-conf", "Corefile");
                RawClient client = new RawClient(InetAddress.getLoopbackAddress(), cairn.port())) {
            client.ask(false, query);
            cairn.signal("TERM");
            cairn.awaitOutput("SIGTERM: Shutting down");
            int answered = 0;
            while (answered < 50) {
                client.send(false, new byte[0]);   // is no query, and no end of queries either
                assertThat(client.ask(false, query)[3] & 15).isZero();
                answered++;
            }
            assertThat(cairn.awaitExit()).isZero();
            assertThatThrownBy(() -> client.ask(false, query)).isInstanceOf(PortUnreachableException.class);
        }
    }

    @Test
    void quitLeavesAtOnce() throws Exception {
        corefile(".:0 {\n whoami\n}\n");
        try (CairnProcess cairn = CairnProcess.start(directory, "-conf", "Corefile")) {
            cairn.port();
            cairn.signal("QUIT");
            assertThat(cairn.awaitExit()).isEqualTo(3);
            assertThat(cairn.output()).noneMatch(line -> line.contains("Shutting down") || line.contains("Full thread dump"));
        }
    }

    @Test
    void checkPrintsErrorsAndWarnings() throws Exception {
        corefile(". {\n whoami\n forward . 127.0.0.1\n hsots\n}\n");
        assertThat(runToEnd(2, "check"))
                .anySatisfy(line -> assertThat(line).startsWith("Corefile:4: unknown plugin 'hsots'; did you mean 'hosts'?"))
                .anySatisfy(line -> assertThat(line).startsWith("Corefile:3: warning: ").contains("this server itself"));
    }

    @Test
    void servesTheClusterOfTheExamplesAndFollowsChanges() throws Exception {
        Path cluster = Files.createDirectory(directory.resolve("cluster"));
        Path web = cluster.resolve("web.yaml");
        String service = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {clusterIP: 10.0.0.%d, ports: [{port: 80}]}\n";
        Files.writeString(web, service.formatted(1));
        try (CairnProcess cairn = CairnProcess.start(directory, "--manifests", "cluster", "-p", "0")) {
            int port = cairn.port();
            Awaitility.await().until(() -> dig(port, "web.shop.svc.cluster.local", "+short").strip().equals("10.0.0.1"));
            Files.writeString(web, service.formatted(2));
            Awaitility.await().until(() -> dig(port, "web.shop.svc.cluster.local", "+short").strip().equals("10.0.0.2"));
        }
    }

    @Test
    void envPrintsWhatAContainerWouldFind() throws Exception {
        Files.writeString(directory.resolve("redis.yaml"), """
                apiVersion: v1
                kind: Service
                metadata: {name: redis-master, namespace: shop}
                spec: {clusterIP: 10.0.0.11, ports: [{port: 6379}]}
                """);
        assertThat(runToEnd(0, "env", "-n", "shop", "--manifests", "redis.yaml"))
                .contains("REDIS_MASTER_SERVICE_HOST=10.0.0.11", "REDIS_MASTER_PORT_6379_TCP=tcp://10.0.0.11:6379");
        assertThat(runToEnd(0, "env", "-n", "shop", "--manifests", "redis.yaml", "--enable-service-links=false"))
                .isNotEmpty().allMatch(line -> line.startsWith("KUBERNETES_"));
        assertThat(runToEnd(2, "env")).singleElement().asString().contains("--manifests");
    }

    @Test
    void checkIsContentWithAGoodFile() throws Exception {
        corefile(". {\n whoami\n}\n");
        assertThat(runToEnd(0, "check", "Corefile")).containsExactly("Corefile: no problems");
    }

    @Test
    void checkSpeaksJson() throws Exception {
        corefile(". {\n \"who\\\"ami\"\n}\n");
        String json = String.join("\n", runToEnd(2, "check", "--format", "json"));
        Path script = Files.writeString(directory.resolve("read.py"), """
                import json, sys
                for p in json.load(open(sys.argv[1])): print(p['file'], p['line'], p['severity'])
                """);
        Path result = Files.writeString(directory.resolve("result.json"), json);
        assertThat(Programs.run("python3", script.toString(), result.toString()).output()).contains("Corefile 1 warning", "Corefile 2 error");
    }
}
