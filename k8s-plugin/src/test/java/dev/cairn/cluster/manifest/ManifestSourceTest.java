package dev.cairn.cluster.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestSourceTest {
    private static final Duration SELDOM = Duration.ofMinutes(10);
    private static final Duration OFTEN = Duration.ofMillis(50);

    @TempDir
    Path directory;

    private final Recorder heard = new Recorder();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<ManifestSource> sources = new CopyOnWriteArrayList<>();

    private final Clock clock = new Clock();

    /** The system's clock, or one that stands still until it is moved; knows how often it was read, which is once for each changed file. */
    private static final class Clock implements InstantSource {
        private final AtomicInteger reads = new AtomicInteger();
        private volatile @Nullable Instant fixed;

        @Override
        public Instant instant() {
            reads.incrementAndGet();
            Instant now = fixed;
            return now == null ? Instant.now() : now;
        }
    }

    /** Writes down calls: + for put, - for remove, = for synced. */
    private static final class Recorder implements ClusterListener {
        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final List<Fact> facts = new CopyOnWriteArrayList<>();
        /** What cannot be taken, by its name. */
        private volatile String defect = "";

        @Override
        public void put(Fact fact) {
            if (fact.name().equals(defect)) {
                throw new IllegalStateException("a defect");
            }
            facts.add(fact);
            calls.add("+" + fact.resource() + " " + fact.namespace() + "/" + fact.name());
        }

        @Override
        public void remove(Resource resource, String namespace, String name) {
            calls.add("-" + resource + " " + namespace + "/" + name);
        }

        @Override
        public void synced(Resource resource) {
            calls.add("=" + resource);
        }

        List<String> after(String call) {
            List<String> all = List.copyOf(calls);
            return all.subList(all.lastIndexOf(call) + 1, all.size());
        }

        /** What came after the start. */
        List<String> changes() {
            return after("=IMPORTS");
        }
    }

    @AfterEach
    void closeAll() {
        sources.forEach(ManifestSource::close);
    }

    private ManifestSource start(Duration poll, Path... paths) {
        ManifestSource source = new ManifestSource(ManifestOptions.of(List.of(paths)), TestCluster.EVERYTHING, log::add, poll, clock);
        sources.add(source);
        source.start(heard);
        await().until(() -> heard.calls.contains("=IMPORTS"));
        return source;
    }

    private static String service(String name, String ip) {
        return TestCluster.service(name, "clusterIP: " + ip);
    }

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** Changes a file at once: a busy machine may pause between emptying and writing it for so long that it counts as empty. */
    private void replace(Path file, String text) throws IOException {
        Files.move(write("next.tmp", text), file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void allIsToldFirstAndThenThatItWasAll() throws IOException {
        write("a.yaml", service("a", "10.0.0.1"));
        write("deep/er/b.yml", service("b", "10.0.0.2"));
        write("c.json", "{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"name\": \"c\"}}");
        write("d.txt", service("d", "10.0.0.4"));
        write(".hidden.yaml", service("e", "10.0.0.5"));
        start(SELDOM, directory);
        assertThat(heard.calls).containsExactly("+NAMESPACES default/default", "+SERVICES default/a", "+SERVICES default/c",
                "+SERVICES default/b", "=NAMESPACES", "=SERVICES", "=SLICES", "=PODS", "=IMPORTS");
        assertThat(log).isEmpty();
    }

    @Test
    void onlyWhatChangedIsTold() throws IOException {
        Path file = write("a.yaml", service("a", "10.0.0.1") + service("b", "10.0.0.2"));
        start(SELDOM, directory);
        replace(file, service("a", "10.0.0.1") + service("b", "10.0.0.3"));
        await().untilAsserted(() -> assertThat(heard.changes()).containsExactly("+SERVICES default/b"));
        replace(file, service("b", "10.0.0.3"));
        await().untilAsserted(() -> assertThat(heard.changes()).containsExactly("+SERVICES default/b", "-SERVICES default/a"));
    }

    @Test
    void filesComeAndGoInDirectoriesThatComeAndGo() throws IOException {
        start(SELDOM, directory);
        Path file = write("new/a.yaml", service("a", "10.0.0.1"));
        await().untilAsserted(() -> assertThat(heard.changes()).containsExactly("+SERVICES default/a"));
        Files.delete(file);
        await().untilAsserted(() -> assertThat(heard.changes()).containsExactly("+SERVICES default/a", "-SERVICES default/a"));
    }

    @Test
    void aFileThatIsReplacedByARenameIsReadAgain() throws IOException {
        Path file = write("a.yaml", service("a", "10.0.0.1"));
        start(SELDOM, file);
        replace(file, service("b", "10.0.0.2"));
        await().untilAsserted(() -> assertThat(heard.changes()).containsExactly("+SERVICES default/b", "-SERVICES default/a"));
    }

    /** The layout of a mounted ConfigMap: files are links into ..data, itself a link that the kubelet swaps. */
    @Test
    void aConfigMapThatIsSwappedIsReadAgain() throws IOException {
        write("..one/a.yaml", service("a", "10.0.0.1"));
        Files.createSymbolicLink(directory.resolve("..data"), Path.of("..one"));
        Files.createSymbolicLink(directory.resolve("a.yaml"), Path.of("..data/a.yaml"));
        start(SELDOM, directory);
        assertThat(heard.calls).contains("+SERVICES default/a");
        write("..two/a.yaml", service("b", "10.0.0.2"));
        Path temporary = Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of("..two"));
        Files.move(temporary, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        await().untilAsserted(() -> assertThat(heard.changes()).containsExactly("+SERVICES default/b", "-SERVICES default/a"));
    }

    @Test
    void aHalfWrittenFileKeepsItsLastGoodObjectsAndIsTold() throws IOException {
        Path file = write("a.yaml", service("a", "10.0.0.1") + service("b", "10.0.0.2"));
        start(OFTEN, directory);
        replace(file, service("a", "10.0.0.1") + "---\nkind: \"Serv");
        await().untilAsserted(() -> assertThat(log).anyMatch(line -> line.matches(".*a\\.yaml:[67]: cannot be read: .*"))
                .anyMatch(line -> line.contains("what it was before goes on counting")));
        assertThat(heard.changes()).isEmpty();
        replace(file, service("a", "10.0.0.1") + service("c", "10.0.0.3"));
        await().untilAsserted(() -> assertThat(heard.changes()).containsExactly("+SERVICES default/c", "-SERVICES default/b"));
    }

    /** By a clock that stands before any change, all that changes was changed just now; an hour later, nothing was. */
    @Test
    void aFileThatIsEmptiedAndWrittenAnewIsNeverSeenEmpty() throws IOException {
        Instant before = Instant.now().minusSeconds(3600);
        Instant after = before.plusSeconds(7200);
        clock.fixed = after;
        write("a.yaml", service("a", "10.0.0.1"));
        start(OFTEN, directory);
        for (int i = 2; i < 8; i++) {
            String ip = "10.0.0." + i;
            clock.fixed = before;
            write("a.yaml", "");
            awaitALook();
            write("a.yaml", service("a", ip));
            awaitALook();
            assertThat(heard.facts.getLast()).asString().doesNotContain(ip);
            clock.fixed = after;
            await().until(() -> heard.facts.getLast() instanceof ServiceFact fact && fact.clusterIps().getFirst().toString().equals(ip));
        }
        assertThat(heard.changes()).hasSize(6).containsOnly("+SERVICES default/a");
        write("a.yaml", "");
        await().untilAsserted(() -> assertThat(heard.changes().getLast()).isEqualTo("-SERVICES default/a"));
    }

    /** Returns when a changed file was looked at that changed before this was called. */
    private void awaitALook() {
        int reads = clock.reads.get();
        await().until(() -> clock.reads.get() >= reads + 2);
    }

    @Test
    void aFileThatDoesNotComeToRestIsReadAllTheSame() throws IOException {
        Instant before = Instant.now().minusSeconds(3600);
        write("a.yaml", service("a", "10.0.0.1"));
        start(OFTEN, directory);
        clock.fixed = before;
        write("a.yaml", service("b", "10.0.0.2"));
        awaitALook();
        assertThat(heard.changes()).isEmpty();
        clock.fixed = before.plusSeconds(2);
        await().untilAsserted(() -> assertThat(heard.changes()).containsExactly("+SERVICES default/b", "-SERVICES default/a"));
    }

    @Test
    void aPathThatDoesNotExistIsToldAndWaitedFor() throws IOException {
        Path missing = directory.resolve("not/yet");
        start(OFTEN, missing);
        assertThat(log).containsExactly(missing + ": there is no such file or directory; it counts once it is there");
        write("not/yet/a.yaml", service("a", "10.0.0.1"));
        await().untilAsserted(() -> assertThat(heard.changes()).containsExactly("+SERVICES default/a"));
    }

    @Test
    void whatIsWrongIsToldOnceHoweverOftenItIsLookedAt() throws IOException {
        write("a.yaml", TestCluster.service("Bad", ""));
        write("b.yaml", service("a", "10.0.0.1"));
        start(OFTEN, directory);
        for (int i = 2; i < 5; i++) {
            String ip = "10.0.0." + i;
            write("b.yaml", service("a", ip));
            await().until(() -> heard.facts.getLast() instanceof ServiceFact fact && fact.clusterIps().getFirst().toString().equals(ip));
        }
        assertThat(log).singleElement().asString().contains("a.yaml:4: Service \"Bad\" is invalid");
    }

    @Test
    void linksInCirclesEnd() throws IOException {
        write("sub/a.yaml", service("a", "10.0.0.1"));
        Files.createSymbolicLink(directory.resolve("sub/again"), directory);
        start(SELDOM, directory);
        assertThat(heard.calls).filteredOn(call -> call.startsWith("+SERVICES")).hasSize(1);
    }

    @Test
    void nothingIsToldAfterClosing() throws IOException {
        ManifestSource source = start(OFTEN, directory);
        source.close();
        int calls = heard.calls.size();
        write("a.yaml", service("a", "10.0.0.1"));
        assertThat(Thread.getAllStackTraces().keySet()).noneMatch(thread -> thread.getName().equals("cairn-manifests") && thread.isAlive());
        assertThat(heard.calls).hasSize(calls);
        source.close();
    }

    @Test
    void theExampleIsWithoutFaultAndShowsAllKinds() {
        Path example = Path.of(System.getProperty("cairn.root"), "examples/cluster");
        start(SELDOM, example);
        assertThat(log).isEmpty();
        assertThat(heard.calls).contains("+NAMESPACES shop/shop", "+SERVICES shop/web", "+SERVICES shop/db", "+SERVICES shop/payments",
                "+SLICES shop/web-cairn-ipv4", "+SLICES shop/db-cairn-ipv4", "+SLICES shop/warehouse-1", "+SLICES shop/search-cairn-ipv6",
                "+PODS shop/db-0");
        assertThat(heard.facts).filteredOn(fact -> fact instanceof SliceFact slice && slice.service().equals("db")).singleElement()
                .satisfies(fact -> assertThat(((SliceFact) fact).endpoints())
                        .extracting(e -> e.hostname() + " " + e.ready() + " " + e.zone())
                        .containsExactly("db-0 true north", "db-1 true south"));
        assertThat(heard.facts).filteredOn(fact -> fact instanceof ServiceFact && fact.name().equals("search")).singleElement()
                .satisfies(fact -> assertThat(((ServiceFact) fact).clusterIps()).hasSize(2));
    }

    @Test
    void aSliceOfNoPossibleServiceIsToldAndHoldsUpNothing() throws IOException {
        String slice = """
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: s-%s, labels: {kubernetes.io/service-name: "%s"}}
                endpoints: [{addresses: [10.1.0.1]}]
                """;
        write("a.yaml", slice.formatted(1, "web.") + slice.formatted(2, "a..b") + slice.formatted(3, "Web") + slice.formatted(4, "web"));
        start(SELDOM, directory);
        assertThat(heard.calls).contains("+SLICES default/s-4").doesNotContain("+SLICES default/s-1", "+SLICES default/s-2", "+SLICES default/s-3");
        assertThat(log).hasSize(3).allMatch(line -> line.contains("metadata.labels[kubernetes.io/service-name]: Invalid value: \""));
    }

    @Test
    void aFactThatTheListenerCannotTakeHoldsUpNoOtherAndIsTriedAgain() throws IOException {
        write("a.yaml", service("bad", "10.0.0.1") + service("good", "10.0.0.2"));
        heard.defect = "bad";
        start(OFTEN, directory);
        assertThat(heard.calls).contains("+SERVICES default/good", "=SERVICES").doesNotContain("+SERVICES default/bad");
        heard.defect = "";
        await().until(() -> heard.calls.contains("+SERVICES default/bad"));
    }
}
