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
import org.junit.jupiter.api.TestFactory;

/**
 * Tries the backend on a real IPVS, which few machines for tests have: in a virtual machine, for which nothing is needed but a package
 * ({@code tools/ipvs-vm}). {@code IpvsChecks} is what runs there; each of its checks is a test here.
 */
class IpvsKernelTest {
    private static final String SECONDS = "600";

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

    @TestFactory
    Stream<DynamicTest> on_a_real_kernel() throws IOException, InterruptedException {
        Process machine = new ProcessBuilder(command(IpvsChecks.class.getName())).redirectErrorStream(true).start();
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
            if (result.startsWith(IpvsChecks.PASSED) || result.startsWith(IpvsChecks.FAILED)) {
                results.put(result.substring(IpvsChecks.PASSED.length(), result.indexOf(": ")), result);
            }
        }
        return IpvsChecks.names().stream().map(name -> DynamicTest.dynamicTest(name, () -> {
            String result = results.getOrDefault(name, "no result; the virtual machine said: " + String.join("\n", lines));
            if (!result.startsWith(IpvsChecks.PASSED)) {
                fail(result.replace(IpvsChecks.BREAK, "\n"));
            }
        }));
    }
}
