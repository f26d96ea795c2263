package dev.cairn;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the arrows between modules and the rules for packages. Think hard before changing one: each says why it is there. */
class ArchitectureTest {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final List<String> MODULES = List.of("record-store", "k8s-plugin", "dns-server", "proxy-companion", "node");
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importPaths(MODULES.stream().map(module -> ROOT.resolve(module).resolve("build/classes/java/main")).toList());

    private static final String[] RECORD_STORE = {
        "dev.cairn.wire..", "dev.cairn.zone..", "dev.cairn.facts..", "dev.cairn.build..", "dev.cairn.log..", "dev.cairn.metrics..",
        "dev.cairn.http.."
    };
    private static final String CLUSTER = "dev.cairn.cluster..";
    private static final String PROXY = "dev.cairn.proxy..";
    private static final String NODE = "dev.cairn.node..";

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }

    @Test
    void recordStoreNeedsTheJdkAlone() {
        check(classes().that().resideInAnyPackage(RECORD_STORE)
                .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "org.jspecify..", "dev.cairn.wire..", "dev.cairn.zone..", "dev.cairn.facts..",
                        "dev.cairn.log..", "dev.cairn.metrics..", "dev.cairn.http..")
                .because("bytes and facts must be testable, measurable and reusable without a network, a cluster or a plugin"));
    }

    @Test
    void clusterSourcesKnowNoDnsServerAndNoNetty() {
        check(noClasses().that().resideInAPackage(CLUSTER)
                .should().dependOnClassesThat(
                        JavaClass.Predicates.resideInAnyPackage("io.netty..", "dev.cairn.chain..", "dev.cairn.listen..", "dev.cairn.server..",
                                "dev.cairn.plugin..", "dev.cairn.command..", PROXY))
                .because("facts flow one way: the same source feeds the DNS server and the proxy")
                .allowEmptyShould(true));
    }

    @Test
    void theProxyKnowsNothingOfDnsMessages() {
        check(noClasses().that().resideInAPackage(PROXY)
                .should().dependOnClassesThat(JavaClass.Predicates.resideInAnyPackage("dev.cairn.wire..", "dev.cairn.chain..",
                        "dev.cairn.listen..", "dev.cairn.server..", "dev.cairn.plugin..", "io.netty.handler.codec.dns.."))
                .because("the proxy plans from cluster facts; a name server's concerns would tie its releases to ours"));
    }

    @Test
    void theDnsServerKnowsNothingOfKernelRules() {
        check(noClasses().that().resideOutsideOfPackages(PROXY, NODE)
                .should().dependOnClassesThat().resideInAPackage(PROXY)
                .because("a DNS pod runs without the rights that programming the kernel needs"));
    }

    @Test
    void nobodyNeedsTheCommandThatIsBoth() {
        check(noClasses().that().resideOutsideOfPackage(NODE)
                .should().dependOnClassesThat().resideInAPackage(NODE)
                .because("it puts a DNS server and a proxy together, and each of them must do without it"));
    }

    @Test
    void onlyWhatCarriesBytesTouchesNetty() {
        check(noClasses().that().resideOutsideOfPackages("dev.cairn.listen..", "dev.cairn.upstream..", "dev.cairn.proxy.userspace..")
                .should().dependOnClassesThat().resideInAPackage("io.netty..")
                .because("plugins see queries and answers, and plans see services; which engine carries them must stay exchangeable"));
    }

    @Test
    void nobodyServesHttpByTheJdk() {
        check(noClasses().should().dependOnClassesThat().resideInAnyPackage("com.sun.net.httpserver..", "sun.net.httpserver..")
                .because("that server looks through all jars for a logger, and takes threads for each listener: dev.cairn.http does neither"));
    }

    @Test
    void theHotPathDependsOnNothingAboveIt() {
        check(noClasses().that().resideInAnyPackage("dev.cairn.wire..", "dev.cairn.chain..")
                .should().dependOnClassesThat(JavaClass.Predicates.resideInAnyPackage("java.util.stream..", "dev.cairn.log..")
                        .and(DescribedPredicate.not(JavaClass.Predicates.type(java.util.stream.Stream.class)))
                        .and(DescribedPredicate.not(JavaClass.Predicates.type(java.util.stream.IntStream.class))))
                .because("what runs per query neither logs nor collects; set-up code in these packages may use a plain stream"));
    }

    /**
     * What reads a zone takes the query, so these methods and all they call in the package are looked at. Writers beside them may do as they
     * like; so may what is made when a name is first asked for and kept, or for the rare names of topology zones.
     */
    @Test
    void readersOfZonesNeitherCollectNorWait() {
        Set<String> madeOnce = Set.of("makeBelow", "point", "entry", "zonal");
        Deque<JavaMethod> open = CLASSES.stream()
                .filter(type -> type.getPackageName().equals("dev.cairn.zone"))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getRawParameterTypes().stream().anyMatch(type -> type.getSimpleName().equals("QueryView")))
                .collect(Collectors.toCollection(ArrayDeque::new));
        assertThat(open).as("methods of dev.cairn.zone that take a query").hasSizeGreaterThan(5);
        Set<JavaMethod> seen = new HashSet<>();
        Set<String> wrong = new TreeSet<>();
        while (!open.isEmpty()) {
            JavaMethod method = open.pop();
            if (!seen.add(method) || madeOnce.contains(method.getName())) {
                continue;
            }
            if (method.getModifiers().contains(JavaModifier.SYNCHRONIZED)) {
                wrong.add(method.getFullName() + " takes a lock");
            }
            for (JavaCall<?> call : method.getCallsFromSelf()) {
                String target = call.getTargetOwner().getName();
                if (target.startsWith("java.util.stream.") || target.startsWith("java.util.concurrent.locks.")
                        || target.equals("java.util.Optional") || target.startsWith("java.lang.System$Logger")) {
                    wrong.add(call.getDescription());
                }
                if (call.getTargetOwner().getPackageName().equals("dev.cairn.zone")
                        && call.getTarget().resolveMember().orElse(null) instanceof JavaMethod next) {
                    open.push(next);
                }
            }
        }
        assertThat(wrong).as("what runs per query neither logs, waits nor collects: make it when the cluster changes, or once when first asked for")
                .isEmpty();
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("dev.cairn.(**)").should().beFreeOfCycles()
                .because("a package that needs the one that needs it is one package in two folders"));
    }

    @Test
    void pluginsDoNotKnowEachOther() {
        check(slices().matching("dev.cairn.plugin.(*)..").should().notDependOnEachOther()
                .because("plugins meet through the chain and the block, so that each can be read, removed and tested alone"));
    }

    @Test
    void everyPackageTellsItsPurpose() throws IOException {
        Set<String> without = new TreeSet<>();
        for (Path source : sources()) {
            Path directory = source.getParent();
            if (!Files.exists(directory.resolve("package-info.java"))) {
                without.add(ROOT.relativize(directory).toString());
            }
        }
        assertThat(without).as("packages without package-info.java").isEmpty();
    }

    @Test
    void namesSayWhatThingsAre() throws IOException {
        Set<String> vague = sources().stream()
                .map(source -> source.getParent().getFileName().toString())
                .filter(Set.of("util", "utils", "common", "helper", "helpers", "impl", "manager")::contains)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(vague).as("package names that say nothing").isEmpty();
    }

    @Test
    void classesStaySmallEnoughToRead() throws IOException {
        Set<String> long_ = new TreeSet<>();
        for (Path source : sources()) {
            if (Files.readAllLines(source).size() > 420) {
                long_.add(source.getFileName().toString());
            }
        }
        assertThat(long_).as("classes of more than about 400 lines").isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }
}
