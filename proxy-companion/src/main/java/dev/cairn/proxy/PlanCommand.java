package dev.cairn.proxy;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.plan.Carrier;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.Backend;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-proxy plan}: what would be programmed, whatever the backend. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Print what is to be done for each service, without doing it.")
final class PlanCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ProxyFlags flags = new ProxyFlags();

    @Option(names = {"-o", "--output"}, paramLabel = "text|json", defaultValue = "text", description = "The form (default: ${DEFAULT-VALUE}).")
    private String form = "text";

    private Sources sources = new Sources(false, LocalDetector.none(), Carrier.RULES);

    /** Whose packets get the node's address, besides those of an endpoint that are sent back to itself. */
    private enum Masquerade {
        ALL(", masqueraded"),
        /** Of all but pods of this node. */
        OTHERS(", masqueraded unless from a pod"),
        /** Of the node itself, in case it used an address by which it cannot be answered. */
        NODE(", masqueraded from the node"),
        NONE("");

        private final String text;

        Masquerade(String text) {
            this.text = text;
        }
    }

    /** What becomes of packets by where they come from. */
    private record Sources(boolean all, LocalDetector detector, Carrier carrier) {
        /** Who goes round a policy that keeps traffic on the node; empty for nobody. */
        String goRound(PortPlan port, Frontend frontend) {
            boolean told = carrier != Carrier.VIRTUAL_SERVERS || port.sets().local().isEmpty();
            return !frontend.isExternal() || !told ? "" : detector.works(port.family()) ? "pods and the node" : "the node";
        }

        Masquerade masquerade(PortPlan port, Frontend frontend) {
            if (carrier == Carrier.RELAY) {
                return Masquerade.ALL;
            }
            if (frontend.isExternal()) {
                return port.externalLocal() ? Masquerade.NODE : Masquerade.ALL;
            }
            return all ? Masquerade.ALL : detector.works(port.family()) ? Masquerade.OTHERS : Masquerade.NONE;
        }
    }

    @Override
    public void run() {
        if (!form.equals("text") && !form.equals("json")) {
            throw new CommandFailure(CairnProxy.USAGE, "-o " + form + " is unknown: write text or json");
        }
        ProxyConfig settings = flags.settings();
        Backend.Desired desired = Snapshot.take(flags, settings).desired();
        sources = new Sources(desired.options().masqueradeAll(), desired.options().detector(), Backends.carrier(settings.mode()));
        Collection<ServicePlan> plans = desired.plans().values();
        PrintWriter out = spec.commandLine().getOut();
        if (form.equals("json")) {
            out.println(plans.stream().map(this::json).collect(Collectors.joining(",\n  ", "[\n  ", "\n]")));
        } else {
            plans.forEach(plan -> print(plan, out));
        }
        out.flush();
    }

    private void print(ServicePlan plan, PrintWriter out) {
        out.println(plan.name());
        for (PortPlan port : plan.ports()) {
            for (Frontend frontend : port.frontends()) {
                out.println("  " + frontend + " -> " + target(port, frontend));
            }
        }
        if (plan.healthCheckNodePort() != 0) {
            out.println("  health check node port " + plan.healthCheckNodePort() + ", " + plan.localReady() + " ready here");
        }
    }

    private String target(PortPlan port, Frontend frontend) {
        List<Endpoint> endpoints = port.endpoints(frontend);
        StringBuilder text = new StringBuilder(verdict(port, frontend));
        if (!endpoints.isEmpty()) {
            text.setLength(0);
            text.append(join(endpoints));
        }
        if (port.isLocal(frontend)) {
            text.append(", policy Local");
            String round = sources.goRound(port, frontend);
            if (!round.isEmpty() && !endpoints.equals(port.sets().cluster())) {
                text.append(" (").append(round).append(": ").append(join(port.sets().cluster())).append(')');
            }
        }
        text.append(sources.masquerade(port, frontend).text);
        if (port.affinitySeconds() > 0) {
            text.append(", affinity ").append(port.affinitySeconds()).append(" s");
        }
        if (port.isFiltered(frontend)) {
            text.append(", only from ").append(port.sourceRanges().stream().map(AddressRange::toString).collect(Collectors.joining(" ")));
        }
        return text.toString();
    }

    private static String verdict(PortPlan port, Frontend frontend) {
        return !port.endpoints(frontend).isEmpty() ? "dnat" : port.sets().any() ? "drop" : "reject";
    }

    private static String join(List<Endpoint> endpoints) {
        return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(" "));
    }

    /** Names and addresses have no character that would have to be escaped. */
    private String json(ServicePlan plan) {
        String frontends = plan.ports().stream()
                .flatMap(port -> port.frontends().stream().map(frontend -> json(port, frontend)))
                .collect(Collectors.joining(",\n    "));
        return "{\"namespace\":\"" + plan.name().namespace() + "\",\"name\":\"" + plan.name().name() + "\",\"healthCheckNodePort\":"
                + plan.healthCheckNodePort() + ",\"localReadyEndpoints\":" + plan.localReady() + ",\"frontends\":[\n    " + frontends + "]}";
    }

    private String json(PortPlan port, Frontend frontend) {
        return "{\"kind\":\"" + frontend.kind() + "\",\"port\":\"" + port.name() + "\",\"at\":\"" + frontend.place() + "\",\"verdict\":\""
                + verdict(port, frontend) + "\",\"endpoints\":" + array(port.endpoints(frontend)) + ",\"clusterEndpoints\":"
                + array(port.sets().cluster()) + ",\"localEndpoints\":" + array(port.sets().local()) + ",\"masquerade\":\""
                + sources.masquerade(port, frontend).name().toLowerCase(Locale.ROOT) + "\",\"policyLocal\":" + port.isLocal(frontend)
                + ",\"affinitySeconds\":" + port.affinitySeconds()
                + ",\"sourceRanges\":" + array(port.isFiltered(frontend) ? port.sourceRanges() : List.of()) + "}";
    }

    private static String array(List<?> items) {
        return items.isEmpty() ? "[]" : items.stream().map(Object::toString).collect(Collectors.joining("\",\"", "[\"", "\"]"));
    }
}
