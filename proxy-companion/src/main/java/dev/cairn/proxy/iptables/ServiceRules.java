package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServicePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the rules of a service in one family. Immutable. */
final class ServiceRules {
    private final Layout layout;

    /**
     * The rules of a service.
     *
     * @param own chains that are its alone
     * @param shared what it has in chains of all services; the order counts
     */
    record Content(Map<Chain, List<String>> own, Map<Chain, List<String>> shared) {
        static final Content NONE = new Content(Map.of(), Map.of());

        private void share(Chain chain, String rule) {
            shared.computeIfAbsent(chain, _ -> new ArrayList<>()).add(rule);
        }
    }

    ServiceRules(Layout layout) {
        this.layout = layout;
    }

    Content of(ServicePlan plan) {
        Content content = new Content(new LinkedHashMap<>(), new LinkedHashMap<>());
        List<PortPlan> ports = plan.ports().stream().filter(port -> port.family() == layout.family()).toList();
        ports.forEach(port -> new Port(plan.name().toString(), port, content).write());
        if (plan.healthCheckNodePort() != 0 && !ports.isEmpty()) {
            content.share(Chain.NODEPORTS, Rule.rule().port(Protocol.TCP, plan.healthCheckNodePort())
                    .comment(plan.name() + " health check node port").jump("ACCEPT"));
        }
        return content;
    }

    /** One port of a service. */
    private final class Port {
        private final PortPlan port;
        private final Content content;
        private final String name;
        private final Chain anywhere;
        private final Chain here;
        private final Chain external;
        private final Chain firewall;

        Port(String service, PortPlan port, Content content) {
            this.port = port;
            this.content = content;
            name = Chain.portName(service, port.name());
            anywhere = Chain.ofService("KUBE-SVC-", name, port.protocol());
            here = Chain.ofService("KUBE-SVL-", name, port.protocol());
            external = Chain.ofService("KUBE-EXT-", name, port.protocol());
            firewall = Chain.ofService("KUBE-FW-", name, port.protocol());
        }

        /** Chains come after those that they lead to. */
        void write() {
            port.sets().reachable().forEach(this::endpoint);
            if (!port.sets().cluster().isEmpty()) {
                balance(anywhere, port.sets().cluster(), !port.internalLocal());
            }
            if (!port.sets().local().isEmpty()) {
                balance(here, port.sets().local(), port.internalLocal());
            }
            if (isReachedFromOutside()) {
                content.own().put(external, port.externalLocal() ? aroundPolicy() : List.of(
                        Rule.rule().comment("masquerade traffic for " + name + " external destinations").jump(Chain.MARK_MASQ),
                        "-j " + anywhere.name()));
            }
            port.frontends().forEach(this::frontend);
        }

        /** Without endpoints anywhere there is nothing to lead to. */
        private boolean isReachedFromOutside() {
            return !port.sets().cluster().isEmpty() && port.frontends().stream().anyMatch(Frontend::isExternal);
        }

        private void frontend(Frontend frontend) {
            switch (frontend.kind()) {
                case CLUSTER_IP -> clusterIp(frontend);
                case NODE_PORT -> nodePort(frontend);
                case EXTERNAL_IP, LOAD_BALANCER -> address(frontend);
            }
        }

        /** A rule for packets to a frontend that has an address. */
        private Rule to(Frontend frontend, String comment) {
            Address address = frontend.place().address();
            Rule rule = Rule.rule().port(port.protocol(), frontend.place().port()).comment(comment);
            return address == null ? rule : rule.to(Layout.whole(address));
        }

        private void clusterIp(Frontend frontend) {
            if (port.endpoints(frontend).isEmpty()) {
                content.share(Chain.SERVICES, to(frontend, refusal()).jump(refuse()));
            } else {
                content.share(Chain.NAT_SERVICES, to(frontend, name + " cluster IP").jump((port.internalLocal() ? here : anywhere).name()));
            }
        }

        private String refusal() {
            return name + (port.sets().any() ? " has no local endpoints" : " has no endpoints");
        }

        private String refuse() {
            return port.sets().any() ? "DROP" : layout.reject();
        }

        private void address(Frontend frontend) {
            boolean filtered = port.isFiltered(frontend);
            if (isReachedFromOutside()) {
                String comment = name + (frontend.kind() == Frontend.Kind.LOAD_BALANCER ? " loadbalancer IP" : " external IP");
                content.share(Chain.NAT_SERVICES, to(frontend, comment).jump((filtered ? firewall : external).name()));
            }
            if (filtered) {
                filter(frontend);
            } else if (port.endpoints(frontend).isEmpty()) {
                content.share(Chain.EXTERNAL, to(frontend, refusal()).jump(refuse()));
                if (!port.sets().any()) {
                    content.share(Chain.SERVICES, to(frontend, refusal()).jump(refuse()));   // what the node itself sends
                }
            }
        }

        /** Whom a load balancer lets in is sent on, and what is left in the end as it came is dropped. */
        private void filter(Frontend frontend) {
            List<String> sources = new ArrayList<>(port.sourceRanges().stream().map(AddressRange::toString).toList());
            if (port.selfAllowed() && frontend.place().address() != null) {
                sources.add(Layout.whole(frontend.place().address()));
            }
            if (isReachedFromOutside()) {
                List<String> allowed = content.own().computeIfAbsent(firewall, _ -> new ArrayList<>());
                String rest = Rule.rule().comment("other traffic to " + name + " will be dropped by " + Chain.FIREWALL.name()).jump("");
                allowed.remove(rest);
                sources.stream()
                        .map(source -> Rule.rule().from(source).comment(name + " loadbalancer IP").jump(external.name()))
                        .filter(rule -> !allowed.contains(rule))
                        .forEach(allowed::add);
                allowed.add(rest);
            } else {
                sources.forEach(source -> content.share(Chain.FIREWALL, to(frontend, refusal()).from(source).jump(refuse())));
            }
            content.share(Chain.FIREWALL, to(frontend, name + " traffic not accepted by " + firewall.name()).jump("DROP"));
        }

        private void nodePort(Frontend frontend) {
            int number = frontend.place().port();
            if (isReachedFromOutside()) {
                if (layout.localhostCounter()) {
                    content.share(Chain.NAT_NODEPORTS, to(frontend, name).to("127.0.0.0/8")
                            .count(Layout.LOCALHOST_COUNTER).jump(external.name()));
                }
                content.share(Chain.NAT_NODEPORTS, to(frontend, name).jump(external.name()));
            }
            if (port.endpoints(frontend).isEmpty()) {
                layout.nodePorts().forEach(match ->
                        content.share(Chain.EXTERNAL, match.rule(refusal()).port(port.protocol(), number).jump(refuse())));
            }
        }

        /** The policy holds for what comes from outside; local pods and the node itself reach any endpoint. */
        private List<String> aroundPolicy() {
            List<String> rules = new ArrayList<>();
            String destinations = name + " external destinations";
            if (!layout.pods().isEmpty()) {
                rules.add(layout.fromPods(true, Rule.rule().comment("pod traffic for " + destinations)).jump(anywhere.name()));
            }
            String fromNode = "-m addrtype --src-type LOCAL";
            rules.add(Rule.rule().comment("masquerade LOCAL traffic for " + destinations).match(fromNode).jump(Chain.MARK_MASQ));
            rules.add(Rule.rule().comment("route LOCAL traffic for " + destinations).match(fromNode).jump(anywhere.name()));
            if (!port.sets().local().isEmpty()) {
                rules.add("-j " + here.name());
            }
            return rules;
        }

        /** Sends to one of some endpoints, and clients with affinity to the one they had. */
        private void balance(Chain chain, List<Endpoint> endpoints, boolean internal) {
            List<String> rules = new ArrayList<>();
            if (internal && (layout.masqueradeAll() || !layout.pods().isEmpty())) {
                port.frontends().stream().filter(frontend -> !frontend.isExternal()).forEach(frontend -> {
                    Rule rule = to(frontend, name + " cluster IP");
                    rules.add((layout.masqueradeAll() ? rule : layout.fromPods(false, rule)).jump(Chain.MARK_MASQ));
                });
            }
            if (port.affinitySeconds() > 0) {
                for (Endpoint endpoint : endpoints) {
                    Chain target = Chain.ofEndpoint(name, port.protocol(), endpoint);
                    rules.add(Rule.rule().comment(name + " -> " + endpoint).match(
                            "-m recent --rcheck --seconds " + port.affinitySeconds() + " --reap " + list(target)).jump(target.name()));
                }
            }
            for (int i = 0; i < endpoints.size(); i++) {
                int left = endpoints.size() - i;
                Rule rule = Rule.rule().comment(name + " -> " + endpoints.get(i));
                rules.add((left == 1 ? rule : rule.oneOf(left)).jump(Chain.ofEndpoint(name, port.protocol(), endpoints.get(i)).name()));
            }
            content.own().put(chain, rules);
        }

        private String list(Chain chain) {
            return "--name " + chain.name() + " --mask " + (layout.family() == IpFamily.IPV4
                    ? "255.255.255.255" : "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff") + " --rsource";
        }

        /** What an endpoint sends to itself has to look as if it came from elsewhere. */
        private void endpoint(Endpoint endpoint) {
            Chain chain = Chain.ofEndpoint(name, port.protocol(), endpoint);
            Rule send = Rule.rule().protocol(port.protocol()).comment(name);
            if (port.affinitySeconds() > 0) {
                send.match("-m recent --set " + list(chain));
            }
            content.own().put(chain, List.of(
                    Rule.rule().from(Layout.whole(endpoint.address())).comment(name).jump(Chain.MARK_MASQ),
                    send.jump("DNAT --to-destination " + endpoint)));
        }
    }
}
