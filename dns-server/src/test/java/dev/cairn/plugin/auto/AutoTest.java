package dev.cairn.plugin.auto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Programs;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class AutoTest {
    @TempDir
    Path directory;

    private Path zone(String file, int serial, String address) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, "$TTL 60\n@ IN SOA ns admin " + serial + " 7200 3600 1209600 300\n  IN NS ns\nwww IN A " + address + "\n");
    }

    private TestServer server(String arguments) throws Exception {
        return TestServer.start(". {\n    auto example.org example.net {\n directory " + directory + arguments
                + "\n reload 50ms\n}\n transfer {\n to *\n}\n}\n");
    }

    private static void await(ThrowingRunnable what) {
        Awaitility.await().pollInterval(Duration.ofMillis(20)).untilAsserted(what);
    }

    private static void address(TestServer server, String name, String address) throws IOException {
        assertThat(TestServer.answers(server.ask(name, Type.A))).containsExactly(name + " 60 IN A " + address);
    }

    @Test
    void zonesComeChangeAndGoWithTheirFiles() throws Exception {
        zone("db.example.org", 1, "192.0.2.1");
        try (TestServer server = server("")) {
            address(server, "www.example.org.", "192.0.2.1");
            assertThat(server.ask("www.example.net.", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
            zone("below/db.example.net", 1, "192.0.2.2");
            await(() -> address(server, "www.example.net.", "192.0.2.2"));
            zone("below/db.example.net", 2, "192.0.2.3");
            await(() -> address(server, "www.example.net.", "192.0.2.3"));
            assertThat(Programs.run("dig", "@127.0.0.1", "-p", "" + server.port(), "example.net", "AXFR").output()).contains("XFR size: 4 records");
            Files.delete(directory.resolve("db.example.org"));
            await(() -> assertThat(server.ask("www.example.org.", Type.A).getRcode()).isEqualTo(Rcode.REFUSED));
            assertThat(server.logLinesWith("plugin/auto: ").toList()).anyMatch(line -> line.contains("Inserting zone `example.net.' from: "))
                    .anyMatch(line -> line.endsWith("Deleting zone `example.org.'"));
        }
    }

    @Test
    void aWrongFileIsLeftOutUntilItIsRight() throws Exception {
        Files.writeString(directory.resolve("db.example.org"), "@ 60 IN A 192.0.2.1\n");
        zone("db.example.net", 1, "192.0.2.2");
        zone("db.example.com", 1, "192.0.2.2");
        try (TestServer server = server("")) {
            address(server, "www.example.net.", "192.0.2.2");
            assertThat(server.ask("www.example.org.", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
            assertThat(server.ask("www.example.com.", Type.A).getRcode()).as("not a zone of the plugin").isNotEqualTo(Rcode.NOERROR);
            assertThat(server.logLinesWith("Parse zone `example.org.': ")).hasSize(1);
            zone("db.example.org", 1, "192.0.2.1");
            await(() -> address(server, "www.example.org.", "192.0.2.1"));
        }
    }

    @Test
    void namesOfZonesAreMadeFromNamesOfFiles() throws Exception {
        zone("org-example.zone", 1, "192.0.2.1");
        zone("org-example.zone.bak", 1, "192.0.2.9");
        try (TestServer server = server(" ^(\\w+)-(.*)\\.zone$ {2}.{1}")) {
            address(server, "www.example.org.", "192.0.2.1");
        }
    }

    /** What the kubelet makes of a ConfigMap: links to a link to a directory that it replaces as a whole. */
    @Test
    void aConfigMapIsFollowed() throws Exception {
        zone("..first/db.example.org", 1, "192.0.2.1");
        Files.createSymbolicLink(directory.resolve("..data"), Path.of("..first"));
        Files.createSymbolicLink(directory.resolve("db.example.org"), Path.of("..data/db.example.org"));
        try (TestServer server = server("")) {
            address(server, "www.example.org.", "192.0.2.1");
            zone("..second/db.example.org", 2, "192.0.2.2");
            Files.createSymbolicLink(directory.resolve("..new"), Path.of("..second"));
            Files.move(directory.resolve("..new"), directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
            await(() -> address(server, "www.example.org.", "192.0.2.2"));
            assertThat(server.logLinesWith("Multiple zone files")).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource
    void mistakesAreTold(String lines, String message) throws IOException {
        assertThat(TestServer.errorsOf("example.org {\nauto {\n" + lines + "\n}\n}\n")).singleElement().asString().contains(message);
    }

    static Stream<Arguments> mistakesAreTold() {
        return Stream.of(
                Arguments.of("reload 1s", "Corefile:2: plugin/auto: has no directory: add a line such as: directory /etc/coredns/zones"),
                Arguments.of("directory", "Corefile:3: plugin/auto: directory: wants 1 to 3 arguments"),
                Arguments.of("directory /x db\\.(.*)", "a REGEXP needs an ORIGIN_TEMPLATE; write: directory /x db\\.(.*) {1}"),
                Arguments.of("directory /x db\\..* {1}", "the REGEXP needs at least one group"),
                Arguments.of("directory /x db( {1}", "\"db(\" is not a regular expression"),
                Arguments.of("directory /x\nreload -1s", "reload: -1s is out of range"),
                Arguments.of("directory /x\nrelod 1s", "unknown property \"relod\", did you mean reload?"));
    }
}
