package dev.cairn.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.corefile.Position;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Host;
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
        Block block = new Block(Host.offline(""), new Shared(), new Position("Corefile", 1), List.of());
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
        Instance instance = new Instance(List.of(block("a", () -> { }), block("b", failing), block("c", () -> { })), Map.of(), "");
        assertThatThrownBy(instance::start).hasNoSuppressedExceptions();
        assertThat(calls).containsExactly("start a", "stop a", "stop b", "stop c");
    }

    @Test
    void aDefectInAReloadLeavesTheOldConfigurationInService() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n}")) {
            server.server().process().get(UpstreamLoops.class, () -> new UpstreamLoops(-1)); // so many there cannot be
            assertThat(server.reload(". {\n forward . 127.0.0.1:9\n}")).isFalse();
            assertThat(server.ask("a.org", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.logLinesWith("[ERROR]")).singleElement().asString().contains("by a defect", "stays in service");
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
