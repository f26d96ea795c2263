package dev.cairn.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.kernel.KernelSettings;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Associations of SCTP, which the kernel of the virtual machine speaks. The network is that of {@code IpvsChecks}. */
final class SctpChecks {
    /** The system's own starts at once; one that a version manager puts before it takes seconds in the virtual machine. */
    private static final String PYTHON = Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";

    private static final String CLIENT = "203.0.113.2";
    private static final String POD = "10.200.0.9";
    private static final String VIP = "10.96.0.30";
    private static final List<String> ENDPOINTS = List.of("10.180.0.1", "10.180.0.2");
    private static final int PORT = 36412;
    private static final int TARGET = 36422;
    /** Answers each client with its own address and the client's. */
    private static final String SERVER = """
            import socket, sys, threading
            def serve(address, port):
                s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132)
                s.bind((address, port))
                s.listen(16)
                print('ready', flush=True)
                while True:
                    c, peer = s.accept()
                    c.sendall(('%s=%s' % (address, peer[0])).encode())
                    c.close()
            for address in sys.argv[2:]:
                threading.Thread(target=serve, args=(address, int(sys.argv[1]))).start()
            """;
    private static final String ASK = """
            import socket, sys
            source, target, port, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
            for i in range(count):
                s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132)
                s.settimeout(20)
                try:
                    s.bind((source, 0))
                    s.connect((target, port))
                    print(s.recv(100).decode())
                except OSError as e:
                    print(e)
                s.close()
            """;

    private SctpChecks() {}

    static Map<String, CheckRun.Check> all() {
        Map<String, CheckRun.Check> all = new LinkedHashMap<>();
        all.put("associations of SCTP are led to endpoints and follow their changes", SctpChecks::associations);
        return all;
    }

    private static void associations() throws Exception {
        TestCluster cluster = new TestCluster("192.168.0.2", "2001:db8::1");
        IpvsOptions options = new IpvsOptions("rr", List.of(), true, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(15), 14);
        IpvsBackend backend = new IpvsBackend(new Kernel(Set.of(IpFamily.values())), Set.of(IpFamily.values()), options, System::nanoTime);
        Process server = serve();
        try {
            new KernelSettings(Path.of("/")).set(backend.sysctls());
            cluster.sctp("assoc", VIP, PORT, TARGET, ENDPOINTS);
            cluster.apply(backend);
            assertThat(ask(POD, 4)).containsExactly("10.180.0.1=" + POD, "10.180.0.2=" + POD);
            assertThat(ask(CLIENT, 4)).containsExactly("10.180.0.1=100.64.2.1", "10.180.0.2=100.64.2.1");
            cluster.sctp("assoc", VIP, PORT, TARGET, List.of("10.180.0.2"));
            cluster.apply(backend);
            assertThat(ask(POD, 4)).containsExactly("10.180.0.2=" + POD);
        } finally {
            server.destroyForcibly();
            server.waitFor();
            backend.cleanUp();
            backend.close();
        }
    }

    private static Process serve() throws Exception {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", VmNetwork.ENDPOINTS, PYTHON, "-c", SERVER, Integer.toString(TARGET)));
        command.addAll(ENDPOINTS);
        Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
        for (int i = 0; i < ENDPOINTS.size(); i++) {
            assertThat(said.readLine()).isEqualTo("ready");
        }
        return server;
    }

    private static Set<String> ask(String from, int count) {
        return new TreeSet<>(VmNetwork.output("ip", "netns", "exec", VmNetwork.CLIENTS, PYTHON, "-c", ASK, from, VIP, Integer.toString(PORT),
                Integer.toString(count)).lines().toList());
    }
}
