package dev.cairn.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong before anything runs is one clear line. */
class CairnNodeTest {
    private static final Path CLUSTER = Path.of(System.getProperty("cairn.root"), "examples/cluster");

    @TempDir
    Path directory;

    private record Result(int code, String text) {}

    private static Result run(List<String> args) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out, true);
        List<String> all = new ArrayList<>(List.of("--dry-run", "--healthz-bind-address", "127.0.0.1:0", "--metrics-bind-address", "127.0.0.1:0"));
        all.addAll(args);
        int code = CairnNode.commandLine().setOut(writer).setErr(writer).execute(all.toArray(String[]::new));
        return new Result(code, out.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "--manifests /no/such             | cairn-node: /no/such: there is no such file or directory",
        "--kubeconfig f --proxy-mode fast | cairn-node: mode \"fast\" is unknown: write nftables, ipvs, iptables, userspace or auto",
        "--kubeconfig f -p 70000          | cairn-node: 70000 is not a port; write -dns.port with a number from 0 to 65535",
        "--kubeconfig f --cluster-cidr x  | cairn-node: \"x\" is not a range of addresses: write ADDRESS/PREFIX, such as 10.96.0.0/12",
        "--kubeconfig f -conf /no/such    | /no/such:1: cannot read /no/such: there is no such file; correct the path",
    })
    void mistakes_are_told_in_one_line(String args, String line) {
        assertThat(run(List.of(args.split(" ", -1)))).isEqualTo(new Result(2, line + "\n"));
    }

    @Test
    void a_mistake_in_the_corefile_is_told_with_its_place() throws IOException {
        Path corefile = Files.writeString(directory.resolve("Corefile"), ".:0 {\n    kubernets cluster.local\n}\n");
        Result result = run(List.of("--manifests", CLUSTER.toString(), "-conf", corefile.toString()));
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.text().lines()).singleElement().asString().startsWith(corefile + ":2: ").contains("kubernetes");
    }

    @Test
    void an_unknown_flag_is_named() {
        assertThat(run(List.of("--bogus"))).isEqualTo(new Result(2, "cairn-node: Unknown option: '--bogus'\nTry 'cairn-node --help'.\n"));
    }

    @Test
    void a_port_that_is_taken_is_named() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Path corefile = Files.writeString(directory.resolve("Corefile"), ".:" + taken.getLocalPort() + " {\n bind 127.0.0.1\n whoami\n}\n");
            Result result = run(List.of("--manifests", CLUSTER.toString(), "-conf", corefile.toString()));
            assertThat(result.code()).as(result.text()).isEqualTo(1);
            assertThat(result.text().lines()).singleElement().asString().startsWith("cairn-node: ").contains(Integer.toString(taken.getLocalPort()));
        }
    }
}
