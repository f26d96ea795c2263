package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import dev.cairn.testing.TestCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Section;

/** The image of the DNS server as what it is, and as what runs in it in a pod. */
class ImageTest {
    @TempDir
    static Path directory;

    private static Container container;
    private static PodNetwork network;

    @BeforeAll
    static void unpack() throws Exception {
        container = new Container("cairn", directory);
        network = new PodNetwork();
    }

    @AfterAll
    static void remove() throws Exception {
        if (network != null) {
            network.close();
        }
    }

    private static Path conf(String name, String corefile) throws IOException {
        Path conf = Files.createDirectories(directory.resolve(name));
        Files.writeString(conf.resolve("Corefile"), corefile);
        return conf;
    }

    @ParameterizedTest
    @CsvSource({"cairn, /coredns, 65532:65532", "cairn-node, /cairn-proxy, 0:0"})
    void tellsEnginesHowToRunIt(String name, String entry, String user) throws Exception {
        ImageFiles image = ImageFiles.read(name);
        assertThat(image.configuration()).containsEntry("os", "linux").containsKeys("architecture", "created");
        assertThat(image.config()).containsEntry("User", user).containsEntry("Entrypoint", List.of(entry)).containsEntry("WorkingDir", "/");
        assertThat(ImageFiles.list(image.config().get("Env"))).contains("MALLOC_ARENA_MAX=1")
                .anyMatch(variable -> variable.toString().startsWith("PATH=/"));
        assertThat(ImageFiles.map(image.config().get("Labels"))).containsEntry("org.opencontainers.image.licenses", "Apache-2.0")
                .containsKeys("org.opencontainers.image.version", "org.opencontainers.image.revision", "org.opencontainers.image.title");
        List<Object> unpacked = ImageFiles.list(ImageFiles.map(image.configuration().get("rootfs")).get("diff_ids"));
        assertThat(unpacked).hasSameSizeAs(image.layers());
        for (int i = 0; i < unpacked.size(); i++) {
            try (GZIPInputStream layer = new GZIPInputStream(Files.newInputStream(image.layers().get(i)))) {
                assertThat(unpacked.get(i)).isEqualTo("sha256:" + ImageFiles.sha256(layer.readAllBytes()));
            }
        }
        Programs.Result archive = Programs.run("tar", "-tf", ImageFiles.BUILT.resolve(name + ".tar").toString());
        assertThat(archive.output().lines()).contains("oci-layout", "index.json", "manifest.json");
    }

    @ParameterizedTest
    @CsvSource({"cairn", "cairn-node"})
    void theDockerfileSaysTheSame(String name) throws Exception {
        String file = Files.readString(Path.of(System.getProperty("cairn.root"), "Dockerfile"));
        String stage = file.substring(file.indexOf("FROM scratch AS " + name + "\n")).split("\n\n", 2)[0];
        Map<String, Object> config = ImageFiles.read(name).config();
        assertThat(stage.lines()).contains("COPY --from=build /src/build/image/" + name + "/ /", "USER " + config.get("User"),
                "ENTRYPOINT [\"" + ImageFiles.list(config.get("Entrypoint")).getFirst() + "\"]");
        for (Object variable : ImageFiles.list(config.get("Env"))) {
            assertThat(variable).matches(each -> each.toString().startsWith("PATH=") || stage.contains("ENV " + each + "\n"));
        }
    }

    @Test
    void bothImagesShareTheirFirstLayers() throws Exception {
        List<Path> own = ImageFiles.read("cairn").layers();
        assertThat(ImageFiles.read("cairn-node").layers()).hasSizeGreaterThan(own.size()).startsWith(own.toArray(Path[]::new));
    }

    @Test
    void hasNoShellNothingThatOthersMayWriteAndOneTimeForAll() throws Exception {
        assertThat(container.root().resolve("usr/bin")).isEmptyDirectory();
        assertThat(container.root().resolve("usr/sbin")).isEmptyDirectory();
        try (Stream<Path> files = Files.walk(container.root())) {
            FileTime time = FileTime.from(Instant.parse("1980-02-01T00:00:00Z"));
            Path mounted = container.root().resolve("etc");
            for (Path file : files.filter(Files::isRegularFile).filter(path -> !path.startsWith(mounted)).toList()) {
                assertThat(Files.getLastModifiedTime(file)).as(file.toString()).isEqualTo(time);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).as(file.toString())
                        .matches("rw[-x]r-[-x]r-[-x]");
                assertThat(Files.getOwner(file).getName()).isEqualTo("root");
            }
        }
    }

    @Test
    void theSameInputGivesTheSameLayers() throws Exception {
        Path again = directory.resolve("again");
        String root = System.getProperty("cairn.root");
        make(again, "stage", System.getProperty("java.home"), root + "/dns-server/build/install/cairn",
                root + "/proxy-companion/build/install/cairn-proxy", root + "/node/build/install/cairn-node", again.toString());
        // What a training run saw differs from run to run, so caches have layers of their own, and here nothing in them.
        for (String cache : List.of("cairn/opt/cairn/lib/cairn.aot", "cairn-node/opt/cairn/lib/cairn.aot",
                "cairn-node/opt/cairn/lib/cairn-proxy.aot", "cairn-node/opt/cairn/lib/cairn-node.aot")) {
            Files.createFile(again.resolve(cache));
        }
        make(again, "pack", again.toString(), "0", "none", "1980-02-01T00:00:00Z");
        try (Stream<Path> blobs = Files.list(again.resolve("oci/blobs/sha256"))) {
            List<String> made = blobs.map(blob -> blob.getFileName().toString()).toList();
            List<String> layers = ImageFiles.read("cairn-node").layers().stream().map(layer -> layer.getFileName().toString()).toList();
            assertThat(layers.stream().filter(layer -> !made.contains(layer))).hasSize(2);
        }
    }

    private static void make(Path out, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dcairn.root=" + System.getProperty("cairn.root"), System.getProperty("cairn.root") + "/gradle/image/MakeImage.java"));
        command.addAll(List.of(arguments));
        Programs.Result result = Programs.run(command.toArray(String[]::new));
        assertThat(result.code()).as(out + ": " + result.output()).isZero();
    }

    /** A jar of an image by the start of its name. */
    private static Path jar(Path root, String name) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("opt/cairn/lib"))) {
            return files.filter(file -> file.getFileName().toString().matches(name + "-[0-9].*\\.jar")).findFirst().orElseThrow();
        }
    }

    @ParameterizedTest
    @CsvSource({"/coredns", "/cairn"})
    void itsCommandsStartFromTheCacheThatWasMadeForIt(String command) throws Exception {
        Programs.Result result = container.variable("CAIRN_OPTS", "-XX:AOTMode=on").run(network, command, "-version");
        assertThat(result).as(result.output()).satisfies(it -> assertThat(it.code()).isZero());
        assertThat(result.output()).startsWith("Cairn-");
    }

    @Test
    void aCacheThatDoesNotFitWouldBeSeen() throws Exception {
        Path jar = jar(container.root(), "picocli");
        Path other = Files.copy(jar, directory.resolve("other.jar"));
        Files.setLastModifiedTime(other, FileTime.from(Instant.EPOCH));
        Programs.Result result = container.mount(other, "/opt/cairn/lib/" + jar.getFileName()).variable("CAIRN_OPTS", "-XX:AOTMode=on")
                .run(network, "/cairn", "-version");
        assertThat(result.code()).as(result.output()).isNotZero();
    }

    @Test
    void answersOnPort53AsAnotherUserWithAReadOnlyRootInTheMemoryOfCoreDns() throws Exception {
        Path conf = conf("plain", """
                .:53 {
                    errors
                    health {
                       lameduck 0s
                    }
                    ready
                    kubernetes cluster.local in-addr.arpa {
                        manifests /manifests
                    }
                    prometheus :9153
                    cache 30
                    loadbalance
                    reload
                }
                """);
        Path cluster = Path.of(System.getProperty("cairn.root"), "examples/cluster");
        Container limited = container.mount(conf, "/etc/coredns").mount(cluster, "/manifests").limit(Container.MEMORY);
        try (CairnProcess server = limited.start(network, "/coredns", "-conf", "/etc/coredns/Corefile");
                PodNetwork.Client client = network.client()) {
            assertThat(server.port()).isEqualTo(53);
            assertThat(limited.holds(server)).as("in the memory group").isTrue();
            Awaitility.await().ignoreExceptions().until(() -> network.get(8181, "/ready").status() == 200);
            for (int i = 0; i < 2000; i++) {
                assertThat(client.ask("db.shop.svc.cluster.local", "A").getSection(Section.ANSWER)).hasSize(2);
            }
            assertThat(network.run("dig", "@127.0.0.1", "+tcp", "+short", "-x", "10.244.1.20"))
                    .isEqualTo("db-0.db.shop.svc.cluster.local.\n");
            assertThat(network.get(8080, "/health").status()).isEqualTo(200);
            assertThat(network.get(9153, "/metrics").body()).contains("coredns_dns_requests_total{");
            List<String> status = Files.readAllLines(Path.of("/proc", Long.toString(server.pid()), "status"));
            assertThat(status).contains("NoNewPrivs:\t1", "Seccomp:\t2", "CapEff:\t0000000000000400", "CapBnd:\t0000000000000400")
                    .anyMatch(line -> line.matches("Uid:(\\s65532){4}")).anyMatch(line -> line.matches("Gid:(\\s65532){4}"));
            assertThat(server.residentKilobytes()).isLessThan(Container.MEMORY >> 10);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(String.join("\n", server.output())).isZero();
            DeployedTest.isContent(server);
            assertThat(server.output()).noneMatch(line -> line.contains("Exception"));
        } finally {
            limited.endLimit();
        }
    }

    @Test
    void withoutTheRightToPort53ItSaysSoAndOtherPortsWork() throws Exception {
        Container powerless = container.mount(conf("powerless", ". {\n    whoami\n}\n"), "/etc/coredns").capabilities(Container.NOTHING);
        Programs.Result refused = powerless.run(network, "/coredns", "-conf", "/etc/coredns/Corefile");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.output().strip().lines()).hasSize(1).allMatch(line -> line.contains(":53 ") && line.contains("no permission"));
        try (CairnProcess server = powerless.start(network, "/coredns", "-conf", "/etc/coredns/Corefile", "-dns.port", "0")) {
            assertThat(network.run("dig", "@127.0.0.1", "-p", "" + server.port(), "there.example", "+noall", "+comments"))
                    .contains("NOERROR");
        }
    }

    @Test
    void itsRuntimeHasAllThatTransportsAndUpstreamsNeed() throws Exception {
        Path conf = conf("transports", """
                tls://.:853 https://.:443 quic://.:8853 {
                    tls /etc/coredns/dns.crt /etc/coredns/dns.key
                    forward . tls://127.0.0.1:854 {
                        tls_servername localhost
                        tls /etc/coredns/ca.pem
                    }
                }
                tls://.:854 {
                    tls /etc/coredns/dns.crt /etc/coredns/dns.key
                    template IN A {
                        answer "{{ .Name }} 60 IN A 192.0.2.1"
                    }
                    log
                    whoami
                }
                """);
        TestCertificates certificates = new TestCertificates(conf);
        certificates.authority();
        certificates.leaf("dns", "EC");
        try (Stream<Path> files = Files.list(conf)) {
            for (Path file : files.toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            }
        }
        try (CairnProcess server = container.mount(conf, "/etc/coredns").start(network, "/coredns", "-conf", "/etc/coredns/Corefile")) {
            server.awaitOutput("Cairn-");
            for (String way : List.of("+tls", "+https", "-p 8853 +quic")) {
                List<String> kdig = new ArrayList<>(List.of("kdig", "@127.0.0.1", "+short", "+timeout=60"));
                kdig.addAll(List.of(way.split(" ")));
                kdig.addAll(List.of("a.example", "A"));
                assertThat(network.run(kdig.toArray(String[]::new))).as(way + server.output()).isEqualTo("192.0.2.1\n");
            }
            // From where it was unpacked to: nothing can be written in the image.
            assertThat(Files.readString(Path.of("/proc", Long.toString(server.pid()), "maps"))).contains("/usr/lib/libnetty_tcnative_");
        }
    }

    /** What a forward to tls:// checks who it speaks to by. */
    @Test
    void itsRuntimeKnowsTheAuthoritiesOfTheInternet() throws Exception {
        Path store = container.root().resolve("opt/cairn/runtime/lib/security/cacerts");
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(in, null);
            assertThat(authorities.size()).isGreaterThan(50);
        }
    }

    @ParameterizedTest
    @CsvSource({"cairn, libc6", "cairn-node, nftables"})
    void tellsWhatItIsMadeOf(String name, String aPackage) throws Exception {
        Path home = ImageFiles.BUILT.resolve(name).resolve("opt/cairn");
        assertThat(home.resolve("LICENSE")).hasSameTextualContentAs(Path.of(System.getProperty("cairn.root"), "LICENSE"));
        Map<String, Object> bill = ImageFiles.map(DeployTest.parse(Files.readString(home.resolve("sbom/" + name + ".cdx.json"))));
        assertThat(bill).containsEntry("bomFormat", "CycloneDX");
        List<Object> parts = ImageFiles.list(bill.get("components"));
        assertThat(parts).allSatisfy(part -> assertThat(ImageFiles.map(part)).containsKeys("name", "version", "purl", "licenses"));
        List<String> known = parts.stream().map(part -> DeployTest.at(part, "name").toString()).toList();
        assertThat(known).contains("OpenJDK", "netty-transport", aPackage);
        try (Stream<Path> packages = Files.list(ImageFiles.BUILT.resolve(name).resolve("var/lib/dpkg/status.d"))) {
            assertThat(known).containsAll(packages.map(file -> file.getFileName().toString()).toList());
        }
    }

    @Test
    void itsRuntimeHasTheModulesThatOurCodeNeeds() throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "jdeps").toString(),
                "--multi-release", "25", "--ignore-missing-deps", "-summary"));
        for (String module : List.of("dns-server", "k8s-plugin", "record-store", "proxy-companion", "node")) {
            command.add(jar(ImageFiles.BUILT.resolve("cairn-node"), module).toString());
        }
        Set<String> needed = new java.util.TreeSet<>();
        Programs.run(command.toArray(String[]::new)).output().lines().map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .filter(word -> word.startsWith("java.") || word.startsWith("jdk.")).forEach(needed::add);
        assertThat(needed).contains("java.base", "java.management").doesNotContain("jdk.httpserver");
        String modules = Programs.run(container.root().resolve("opt/cairn/runtime/bin/java").toString(), "--list-modules").output();
        assertThat(modules.lines().map(line -> line.replaceFirst("@.*", "")).toList()).containsAll(needed);
    }
}
