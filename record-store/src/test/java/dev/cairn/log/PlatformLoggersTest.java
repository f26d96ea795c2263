package dev.cairn.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlatformLoggersTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private PrintStream before;

    @BeforeEach
    void redirect() {
        before = Log.redirect(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        Log.redirect(before);
        PlatformLoggers.clusterAs(Log.plugin("kubernetes"));
    }

    private List<String> written() {
        Log.flush();
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void clusterSourcesSpeakAsThePluginTheyServeOrAsTheProcess() {
        System.Logger cluster = System.getLogger("dev.cairn.cluster.api");
        cluster.log(Level.INFO, "API server back");
        PlatformLoggers.clusterAs(Log.server());
        cluster.log(Level.INFO, "API server back");
        assertThat(written()).containsExactly("[INFO] plugin/kubernetes: API server back", "[INFO] API server back");
    }

    @Test
    void ofOthersOnlyWarningsCount() {
        System.Logger theirs = System.getLogger("org.example");
        theirs.log(Level.INFO, "unseen");
        theirs.log(Level.WARNING, "{0} is {1}", "a", "b");
        System.getLogger("dev.cairn.http").log(Level.DEBUG, "unseen");
        assertThat(written()).containsExactly("[WARNING] a is b");
    }

    @Test
    void aDefectIsOneLineThatTellsWhere() {
        System.getLogger("dev.cairn.http").log(Level.ERROR, "defect while listening", new IllegalStateException("odd"));
        assertThat(written()).singleElement().asString()
                .startsWith("[ERROR] defect while listening: java.lang.IllegalStateException: odd at "
                        + "dev.cairn.log.PlatformLoggersTest.aDefectIsOneLineThatTellsWhere(PlatformLoggersTest.java:")
                .contains(" < ");
    }
}
