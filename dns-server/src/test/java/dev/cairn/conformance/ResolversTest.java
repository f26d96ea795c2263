package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The cluster of the example, as a pod of its namespace {@code shop} sees it, with every resolver that pods have. */
class ResolversTest {
    /** The pods of the headless service, one of them not ready, which it publishes all the same. */
    private static final String DB = "10.244.1.20 10.244.2.20";

    @TempDir
    static Path directory;

    private static Pod pod;
    private static final Map<Resolver, List<String>> COMMANDS = new EnumMap<>(Resolver.class);

    @BeforeAll
    static void start() throws Exception {
        for (Resolver resolver : Resolver.values()) {
            COMMANDS.put(resolver, resolver.command());
        }
        pod = new Pod(directory, """
                .:53 {
                    bind 127.0.0.1
                    kubernetes cluster.local {
                        manifests %s
                    }
                    hosts {
                        192.0.2.1 www.example.org
                        2001:db8::1 www.example.org
                        192.0.2.7 payments.example.com
                        fallthrough
                    }
                }
                """.formatted(Path.of(System.getProperty("cairn.root"), "examples/cluster")), "shop.svc.cluster.local svc.cluster.local cluster.local");
        Awaitility.await().until(() -> resolve(Resolver.GLIBC, "db").code() == 0);
    }

    @AfterAll
    static void stop() {
        if (pod != null) {
            pod.close();
        }
    }

    private static Programs.Result resolve(Resolver resolver, String name) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(COMMANDS.get(resolver));
        command.add(name);
        return pod.run(command.toArray(String[]::new));
    }

    static Stream<Arguments> names() {
        Map<String, String> names = Map.of(
                "db", DB,
                "DB", DB,
                "db.shop", DB,
                "db.shop.svc", DB,
                "db.shop.svc.cluster.local", DB,
                "db.shop.svc.cluster.local.", DB,
                "db-0.db", "10.244.1.20",
                "payments", "192.0.2.7",
                "www.example.org", "192.0.2.1 2001:db8::1");
        return Stream.of(Resolver.values()).flatMap(resolver -> names.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(name -> Arguments.of(resolver, name.getKey(), name.getValue())));
    }

    @ParameterizedTest
    @MethodSource("names")
    void findsServicesPodsAndNamesOutside(Resolver resolver, String name, String expected) throws Exception {
        Programs.Result result = resolve(resolver, name);
        assertThat(result.code()).as("exit code; %s, server %s", result.output(), pod.log()).isZero();
        Set<String> addresses = result.output().lines().map(line -> line.split("\\s+", 2)[0]).collect(Collectors.toCollection(TreeSet::new));
        assertThat(addresses).containsExactlyInAnyOrder(expected.split(" ", -1));
    }

    static Stream<Arguments> missing() {
        return Stream.of(Resolver.values()).flatMap(resolver ->
                Stream.of("nobody.shop.svc.cluster.local.", "db.nowhere.svc.cluster.local.", "db-7.db.shop.svc.cluster.local.")
                        .map(name -> Arguments.of(resolver, name)));
    }

    /** Whole names, since what the cluster does not know is asked for outside at last. */
    @ParameterizedTest
    @MethodSource("missing")
    void saysThatANameIsNotThere(Resolver resolver, String name) throws Exception {
        assertThat(resolve(resolver, name).code()).isEqualTo(2);
    }
}
