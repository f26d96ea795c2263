package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.log.Log;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NettyLoggerTest {
    @Test
    void nettySpeaksInTheProcessLogFromWarningsOn() {
        NettyLogger.install();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream before = Log.redirect(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            InternalLogger netty = InternalLoggerFactory.getInstance("io.netty.test.Part");
            netty.debug("unseen {}", 1);
            netty.info("unseen");
            netty.warn("lost {} of {}", 1, 2);
            netty.warn("closed", new IllegalStateException("odd"));
            netty.error("{} is broken", "a");
            netty.error("broken", new IllegalStateException("odder"));
            Log.flush();
        } finally {
            Log.redirect(before);
        }
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).satisfiesExactly(
                line -> assertThat(line).isEqualTo("[WARNING] io.netty.test.Part: lost 1 of 2"),
                line -> assertThat(line).isEqualTo("[WARNING] io.netty.test.Part: closed: java.lang.IllegalStateException: odd"),
                line -> assertThat(line).isEqualTo("[ERROR] io.netty.test.Part: a is broken"),
                line -> assertThat(line).startsWith("[ERROR] io.netty.test.Part: broken: java.lang.IllegalStateException: odder at "));
    }
}
