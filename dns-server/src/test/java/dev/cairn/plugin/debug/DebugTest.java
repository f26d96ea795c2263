package dev.cairn.plugin.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.log.Log;
import dev.cairn.plugin.errors.ErrorsSetup;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;

class DebugTest {
    private static final String ON = "example.org {\n debug\n whoami\n}\n";
    private static final String OFF = "example.net {\n whoami\n}\n";

    @Test
    void debugLinesAreLoggedWhileAnyBlockAsks() throws Exception {
        assertThat(Log.debugging()).isFalse();
        try (TestServer server = TestServer.start(ON + OFF)) {
            Log.server().debug("seen");
            assertThat(server.log()).contains("[DEBUG] seen");
            assertThat(server.reload(ON)).isTrue();
            assertThat(Log.debugging()).isTrue();
            assertThat(server.reload(OFF)).isTrue();
            Log.server().debug("not seen");
            assertThat(server.logLinesWith("not seen")).isEmpty();
            assertThat(server.reload(ON + OFF)).isTrue();
            assertThat(Log.debugging()).isTrue();
        }
        assertThat(Log.debugging()).isFalse();
    }

    @Test
    void debugAndStacktraceBothShowWhereADefectIs() throws Exception {
        try (TestChain debug = new TestChain("debug", List.of(new DebugSetup()));
                TestChain errors = new TestChain("errors {\n stacktrace\n}", List.of(new ErrorsSetup()));
                TestChain plain = new TestChain("errors", List.of(new ErrorsSetup()))) {
            assertThat(debug.block().stackTraces()).isTrue();
            assertThat(debug.block().debug()).isTrue();
            assertThat(errors.block().stackTraces()).isTrue();
            assertThat(plain.block().stackTraces()).isFalse();
        }
    }

    @Test
    void takesNoArguments() throws Exception {
        assertThat(TestServer.errorsOf(". {\n debug on\n whoami\n}")).singleElement().asString().startsWith("Corefile:2: plugin/debug: ");
    }
}
