package dev.cairn.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Tries the backend on a real IPVS, which few machines for tests have: in a virtual machine, for which nothing is needed but a package
 * ({@code tools/ipvs-vm}). {@code IpvsChecks} is what runs there; each of its checks is a test here.
 */
class IpvsKernelTest {
    private static final String SECONDS = "1200";

    /** Java in the virtual machine, where starting a program is dear. */
    static List<String> command(String mainClass, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("cairn.root"), "tools", "ipvs-vm").toString(), "-t", SECONDS,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m",
                "-XX:-UsePerfData", "-Djava.io.tmpdir=/run/tmp", "-Djdk.lang.Process.launchMechanism=VFORK", "--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(List.of(arguments));
        return command;
    }

    @Test
    void a_machine_that_cannot_be_had_says_why() throws IOException, InterruptedException {
        ProcessBuilder machine = new ProcessBuilder(command("none")).redirectErrorStream(true);
        machine.environment().put("PATH", "/nowhere");
        Process process = machine.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(69);
        assertThat(said.strip()).isEqualTo("tools/ipvs-vm: linux.uml is missing: run tools/setup, or install user-mode-linux");
    }

    @TestFactory
    Stream<DynamicTest> on_a_real_kernel() throws IOException, InterruptedException {
        Process machine = new ProcessBuilder(command(CheckRun.class.getName())).redirectErrorStream(true).start();
        List<String> lines;
        try {
            lines = new String(machine.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
            assertThat(machine.waitFor()).as("status of the virtual machine, which said: " + String.join("\n", lines)).isZero();
        } finally {
            machine.destroyForcibly();
        }
        Map<String, String> results = new HashMap<>();
        for (String line : lines) {
            String result = line.strip();
            if (result.startsWith(CheckRun.PASSED) || result.startsWith(CheckRun.FAILED)) {
                results.put(result.substring(CheckRun.PASSED.length(), result.indexOf(": ")), result);
            }
        }
        return CheckRun.names().stream().map(name -> DynamicTest.dynamicTest(name, () -> {
            String result = results.getOrDefault(name, "no result; the virtual machine said: " + String.join("\n", lines));
            if (!result.startsWith(CheckRun.PASSED)) {
                fail(result.replace(CheckRun.BREAK, "\n"));
            }
        }));
    }
}
