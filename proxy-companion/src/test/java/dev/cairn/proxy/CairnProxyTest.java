package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CairnProxyTest {
    @Test
    void refusesToPassForAWorkingProxy() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.cairn.proxy.CairnProxy")
                .redirectErrorStream(true)
                .start();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        process.getInputStream().transferTo(out);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("keep kube-proxy running");
    }
}
