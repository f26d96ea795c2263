package dev.cairn.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.CorefileParser;
import dev.cairn.corefile.Position;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.Shared;
import dev.cairn.plugin.StartHook;
import dev.cairn.testing.TestServer;
import dev.cairn.upstream.UpstreamLoops;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** What has been opened is closed again if the rest cannot be. */
class InstanceTest {
    private final List<String> calls = new ArrayList<>();

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of("a port in use", (StartHook) () -> {
                    throw new IOException("in use");
                }),
                Arguments.of("a defect", (StartHook) () -> {
                    throw new IllegalStateException("a defect");
                }));
    }

    private Block block(String name, StartHook start) {
        Block block = new Block(Host.offline(() -> ""), new Shared(), new Position("Corefile", 1), List.of());
        block.onStart(() -> {
            start.start();
            calls.add("start " + name);
        });
        block.onStop(() -> calls.add("stop " + name));
        return block;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void aStartThatFailsIsUndone(String name, StartHook failing) {
        Instance instance = new Instance(List.of(block("a", () -> { }), block("b", failing), block("c", () -> { })), Map.of());
        assertThatThrownBy(instance::start).hasNoSuppressedExceptions();
        assertThat(calls).containsExactly("start a", "stop a", "stop b", "stop c");
    }

    @Test
    void aDefectIsOneSentenceThatNamesTheBlock() {
        Instance instance = new Instance(List.of(block("a", () -> {
            throw new IllegalStateException("what nobody thought of");
        })), Map.of());
        assertThatThrownBy(instance::start).isInstanceOf(IOException.class)
                .hasMessageStartingWith("Corefile:1: this block meets a defect of Cairn: java.lang.IllegalStateException: what nobody thought of; please report it");
    }

    @Test
    void aDefectInSetUpIsOneSentenceThatNamesTheLine() {
        PluginSetup broken = new PluginSetup() {
            @Override
            public String name() {
                return "whoami";
            }

            @Override
            public void setup(List<Use> uses, Block block) {
                throw new IllegalStateException("what nobody thought of");
            }
        };
        Problems problems = new Problems();
        Corefile corefile = CorefileParser.parse("Corefile", ". {\n whoami\n}\n", _ -> null, problems);
        InstanceBuilder.build(corefile, Host.offline(() -> ""), 53, problems, List.of(broken));
        assertThat(problems.all()).singleElement().asString()
                .startsWith("Corefile:2: 'whoami' meets a defect of Cairn: java.lang.IllegalStateException: what nobody thought of; please report it");
    }

    @Test
    void aDefectInAReloadLeavesTheOldConfigurationInService() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n}")) {
            server.server().process().get(UpstreamLoops.class, () -> new UpstreamLoops(-1)); // so many there cannot be
            assertThat(server.reload(". {\n forward . 127.0.0.1:9\n}")).isFalse();
            assertThat(server.ask("a.org", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.logLinesWith("[ERROR]")).singleElement().asString().contains("a defect of Cairn", "stays in service");
        }
    }

    @Test
    void anHttpPortInUseLeavesNothingOfTheNewConfiguration(@TempDir Path manifests) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestServer server = TestServer.start(". {\n whoami\n}")) {
            assertThat(server.reload("cluster.local {\n kubernetes {\n  manifests " + manifests + "\n }\n}\n. {\n prometheus 127.0.0.1:"
                    + taken.getLocalPort() + "\n whoami\n}")).isFalse();
            assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName).doesNotContain("cairn-manifests");
            assertThat(server.ask("a.cluster.local", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }
}
