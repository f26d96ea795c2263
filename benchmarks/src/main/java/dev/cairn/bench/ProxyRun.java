package dev.cairn.bench;

import dev.cairn.e2e.KubeApi;
import dev.cairn.e2e.Peers;
import dev.cairn.e2e.RealCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A large cluster from a real API server, programmed by cairn-proxy and by kube-proxy in turn: how soon the whole cluster can be reached, how
 * soon a service that is added, how soon traffic leaves an endpoint that is removed, how soon a restarted proxy has caught up, and what it takes.
 * Everything runs in a network namespace of its own that ends with it.
 *
 * <p>Usage: {@code ProxyRun CAIRN-PROXY [--services N] [--endpoints N] [--changes N] [--mode NAME] [--only NAME]}, as root. The programs are those
 * of {@code tools/peers}; {@code CAIRN_PEERS} says where.
 */
public final class ProxyRun {
    private static final Pattern TOKEN = Pattern.compile("token: \"([^\"]*)\"");
    private static final String NODE_ADDRESS = "192.0.2.1";
    private static final String PROBE = "10.96.255.1";
    private static final List<String> ENDPOINTS = List.of("10.200.0.1", "10.200.0.2");
    private static final int PATIENCE_SECONDS = 300;
    private static final int IDLE_SECONDS = 15;

    private final Path cairnProxy;
    /** Those with a cluster IP; there are headless ones beside them. */
    private final int services;
    private final int endpoints;
    private final int changes;
    private final String mode;
    private final String only;
    private final Path work;
    private int added;

    /** What was measured of a proxy; times in milliseconds, memory in kB. */
    private static final class Figures {
        private final String name;
        private double firstSync;
        private long firstCpu;
        private long readyKilobytes;
        private long idleKilobytes;
        private double restart;
        private final List<Double> additions = new ArrayList<>();
        private final List<Double> removals = new ArrayList<>();
        private long changesCpu;

        Figures(String name) {
            this.name = name;
        }
    }

    private ProxyRun(List<String> args) throws IOException {
        cairnProxy = Path.of(args.getFirst());
        services = Integer.parseInt(LoadRun.option(args, "--services", "9000"));
        endpoints = Integer.parseInt(LoadRun.option(args, "--endpoints", "10"));
        changes = Integer.parseInt(LoadRun.option(args, "--changes", "20"));
        mode = LoadRun.option(args, "--mode", "nftables");
        only = LoadRun.option(args, "--only", "");
        work = Files.createTempDirectory("cairn-proxy-run");
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 0) {
            System.err.println("usage: ProxyRun CAIRN-PROXY [--services N] [--endpoints N] [--changes N] [--mode NAME] [--only cairn-proxy|kube-proxy]");
            System.exit(2);
        }
        List<String> list = List.of(args);
        if (!list.contains("--inside")) {
            List<String> again = new ArrayList<>(List.of("unshare", "--net", Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m", "-cp", System.getProperty("java.class.path"), ProxyRun.class.getName()));
            again.addAll(list);
            again.add("--inside");
            System.exit(new ProcessBuilder(again).inheritIO().start().waitFor());
        }
        new ProxyRun(list).run();
        System.exit(0);
    }

    private void run() throws IOException, InterruptedException {
        network();
        System.out.println("starting etcd and kube-apiserver ...");
        try (RealCluster cluster = RealCluster.start(work.resolve("cluster")); Traffic traffic = new Traffic()) {
            for (int i = 0; i < ENDPOINTS.size(); i++) {
                traffic.listen(ENDPOINTS.get(i), i);
            }
            KubeApi api = cluster.admin();
            BigCluster.write(api, services * 10 / 9, endpoints);
            api.create("{apiVersion: v1, kind: Node, metadata: {name: node-0}, status: {addresses: [{type: InternalIP, address: " + NODE_ADDRESS + "}]}}");
            api.create("{apiVersion: v1, kind: Namespace, metadata: {name: zz}}");
            slice(api, "probe", ENDPOINTS);
            service(api, "probe", PROBE);
            List<Figures> all = new ArrayList<>();
            for (String name : List.of("cairn-proxy", "kube-proxy")) {
                if (only.isEmpty() || only.equals(name)) {
                    Figures figures = new Figures(name);
                    all.add(figures);
                    measure(cluster, figures);
                    command("nft", "flush", "ruleset");
                    report(all);
                }
            }
        } finally {
            ServerProcess.delete(work);
        }
    }

    /** A way out for packets to services, which their rules turn round to loopback. */
    private static void network() throws IOException, InterruptedException {
        command("ip", "link", "set", "lo", "up");
        command("ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1");
        command("ip", "addr", "add", NODE_ADDRESS + "/24", "dev", "v0");
        command("ip", "link", "set", "v0", "up");
        command("ip", "link", "set", "v1", "up");
        command("ip", "route", "add", "default", "via", "192.0.2.254");
        command("ip", "neigh", "add", "192.0.2.254", "lladdr", "02:00:00:00:00:01", "dev", "v0");
        for (String endpoint : ENDPOINTS) {
            command("ip", "addr", "add", endpoint + "/32", "dev", "lo");
        }
    }

    private static void command(String... words) throws IOException, InterruptedException {
        int status = new ProcessBuilder(words).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", words) + " ended with " + status);
        }
    }

    /** In the last namespace, so that whoever goes by names programs it last. */
    private static void slice(KubeApi api, String name, List<String> endpoints) throws IOException {
        api.post("/apis/discovery.k8s.io/v1/namespaces/zz/endpointslices", """
                {"metadata":{"name":"%1$s-1","labels":{"kubernetes.io/service-name":"%1$s"}},"addressType":"IPv4",\
                "ports":[{"name":"http","protocol":"TCP","port":%2$d}],"endpoints":[%3$s]}""".formatted(name, Traffic.PORT, String.join(",",
                        endpoints.stream().map(endpoint -> "{\"addresses\":[\"" + endpoint + "\"],\"conditions\":{\"ready\":true}}").toList())));
    }

    private static void service(KubeApi api, String name, String address) throws IOException {
        api.post("/api/v1/namespaces/zz/services", """
                {"metadata":{"name":"%s"},"spec":{"clusterIP":"%s","ports":[{"name":"http","port":80,"targetPort":%d}]}}"""
                .formatted(name, address, Traffic.PORT));
    }

    private void measure(RealCluster cluster, Figures figures) throws IOException, InterruptedException {
        String direct = Files.readString(cluster.adminKubeconfig());
        Matcher token = TOKEN.matcher(direct);
        if (!token.find()) {
            throw new IOException("a kubeconfig without a token: " + direct);
        }
        System.out.println("starting " + figures.name + " ...");
        long begun = System.nanoTime();
        try (ServerProcess proxy = start(figures.name, cluster.adminKubeconfig())) {
            figures.firstSync = millis(begun, await(proxy, PROBE));
            figures.firstCpu = proxy.cpuMillisWithChildren();
            figures.readyKilobytes = proxy.residentKilobytes();
            System.out.printf(Locale.ROOT, "synced after %.0f ms with %d MB; letting it idle ...%n", figures.firstSync, figures.readyKilobytes / 1024);
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            figures.idleKilobytes = proxy.residentKilobytes();
            proxy.kill();
        }
        added++;
        slice(cluster.admin(), "added-" + added, ENDPOINTS);
        service(cluster.admin(), "added-" + added, "10.96.254." + added);
        try (Relay relay = new Relay(cluster.port(), cluster.authority(), token.group(1))) {
            Path config = Files.writeString(work.resolve("relayed.kubeconfig"), direct.replace(cluster.url(), relay.url())
                    .replaceAll(", certificate-authority: \"[^\"]*\"", "").replace(token.group(), ""));
            System.out.println("starting it again ...");
            begun = System.nanoTime();
            try (ServerProcess proxy = start(figures.name, config)) {
                figures.restart = millis(begun, await(proxy, "10.96.254." + added));
                System.out.printf(Locale.ROOT, "caught up after %.0f ms; changing services ...%n", figures.restart);
                change(cluster.admin(), relay, proxy, figures);
            }
        }
    }

    private void change(KubeApi api, Relay relay, ServerProcess proxy, Figures figures) throws IOException {
        long cpu = proxy.cpuMillisWithChildren();
        for (int i = 0; i < changes; i++) {
            figures.additions.add(add(api, relay, proxy));
            relay.reset();
            endpoints(api, ENDPOINTS.subList(1, 2));
            figures.removals.add(millis(sent(relay), Traffic.awaitAllTo(1, PROBE, PATIENCE_SECONDS)));
            endpoints(api, ENDPOINTS);
            Traffic.awaitAnswerOf(0, PROBE, PATIENCE_SECONDS);
        }
        figures.changesCpu = (proxy.cpuMillisWithChildren() - cpu) / (3L * changes);
    }

    /** When the event was sent; the API server may answer a writer before it tells watchers. */
    private static long sent(Relay relay) {
        while (relay.firstSent() == 0) {
            Thread.onSpinWait();
        }
        return relay.firstSent();
    }

    /** Adds a service whose endpoints are known already, and waits until it answers. */
    private double add(KubeApi api, Relay relay, ServerProcess proxy) throws IOException {
        added++;
        relay.reset();
        slice(api, "added-" + added, ENDPOINTS);
        sent(relay);
        relay.reset();
        service(api, "added-" + added, "10.96.254." + added);
        return millis(sent(relay), await(proxy, "10.96.254." + added));
    }

    private static void endpoints(KubeApi api, List<String> endpoints) throws IOException {
        api.merge("/apis/discovery.k8s.io/v1/namespaces/zz/endpointslices/probe-1", Map.of("endpoints",
                endpoints.stream().map(endpoint -> Map.of("addresses", List.of(endpoint), "conditions", Map.of("ready", true))).toList()));
    }

    private static long await(ServerProcess proxy, String address) throws IOException {
        try {
            return Traffic.awaitAnswer(address, PATIENCE_SECONDS, proxy::isAlive);
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; " + proxy.name() + " said: " + proxy.output(), e);
        }
    }

    private static double millis(long from, long to) {
        return (to - from) / 1e6;
    }

    private ServerProcess start(String name, Path kubeconfig) throws IOException {
        boolean own = name.equals("cairn-proxy");
        List<String> command = new ArrayList<>(List.of(own ? cairnProxy.toString() : Peers.find("kube-proxy").toString(),
                "--kubeconfig", kubeconfig.toString(), "--proxy-mode", mode, "--hostname-override", "node-0", "--cluster-cidr", "10.128.0.0/9"));
        if (!own) {
            // The settings of the connection tracker are the machine's, not the namespace's.
            command.addAll(List.of("--conntrack-max-per-core", "0", "--conntrack-tcp-timeout-established", "0s", "--conntrack-tcp-timeout-close-wait", "0s"));
        }
        return ServerProcess.start(name, 0, work.resolve(name + ".log"), command, ServerProcess.Processor.ANY);
    }

    static double percentile(List<Double> values, int percent) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }

    private void report(List<Figures> all) {
        System.out.printf(Locale.ROOT, "%n%d services with %d endpoints each, %s%n", services, endpoints, mode);
        System.out.println("| proxy | first sync | CPU | RSS then | RSS idle | restart | service added, p50 / max | endpoint removed, p50 / max | CPU per change |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (Figures one : all) {
            System.out.printf(Locale.ROOT, "| %s | %.2f s | %.1f s | %d MB | %d MB | %.2f s | %.0f / %.0f ms | %.0f / %.0f ms | %d ms |%n", one.name,
                    one.firstSync / 1e3, one.firstCpu / 1e3, one.readyKilobytes / 1024, one.idleKilobytes / 1024, one.restart / 1e3,
                    percentile(one.additions, 50), percentile(one.additions, 100), percentile(one.removals, 50), percentile(one.removals, 100),
                    one.changesCpu);
        }
    }
}
