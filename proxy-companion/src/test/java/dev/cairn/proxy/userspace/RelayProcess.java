package dev.cairn.proxy.userspace;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.log.Log;
import dev.cairn.proxy.conformance.Facts;
import dev.cairn.proxy.conformance.ProxyConformanceTest;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import dev.cairn.proxy.sync.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A process with the backend, to be run on a node of a testbed. Its argument is the gate. It takes commands from standard input, one a
 * line, and answers each with one: {@code apply CASE} makes a case of the conformance file so, {@code clear} removes everything.
 */
final class RelayProcess {
    private RelayProcess() {}

    public static void main(String[] args) throws IOException {
        Log.redirect(System.err);   // answers are on standard output
        Tool tool = new Tool(List.of());
        Gate gate = args[0].equals("nftables") ? new NftGate(tool) : new IptablesGate(tool);
        RelayLimits limits = new RelayLimits(1000, 1000, Duration.ofSeconds(60));
        List<Facts.Case> cases = Facts.cases();
        try (UserspaceBackend backend = new UserspaceBackend(Set.of(IpFamily.values()), 1 << 14, limits, List.of(gate), _ -> {});
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(answer(backend, cases, line));
            }
        }
    }

    private static String answer(Backend backend, List<Facts.Case> cases, String line) {
        try {
            if (line.equals("clear")) {
                return String.join(", ", backend.cleanUp());
            }
            Facts.Case one = cases.stream().filter(candidate -> line.equals("apply " + candidate.id())).findFirst().orElseThrow();
            ClusterModel model = ProxyConformanceTest.model(one);
            Backend.Desired desired = new Backend.Desired(model.plans(), model.node(), ProxyConformanceTest.options(one, "iptables"));
            backend.apply(desired, model.plans().keySet());
            return "ok " + backend.audit(desired).drift();
        } catch (ApplyFailure e) {
            return "failed: " + e.getMessage();
        }
    }
}
