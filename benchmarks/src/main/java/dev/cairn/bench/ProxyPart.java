package dev.cairn.bench;

import dev.cairn.bench.load.ClusterStore;
import dev.cairn.bench.load.Relay;
import dev.cairn.bench.load.Traffic;
import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Chart;
import dev.cairn.bench.report.Figures;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import dev.cairn.e2e.KubeApi;
import dev.cairn.e2e.Peers;
import dev.cairn.e2e.RealCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A large cluster from a real API server, programmed by cairn-proxy and by kube-proxy in turn: how soon the whole cluster can be reached, how
 * soon a service that is added, how soon traffic leaves an endpoint that is removed, how soon a restarted proxy has caught up, and what it takes.
 * Everything runs in a process with a network namespace of its own that ends with it, as root.
 */
final class ProxyPart implements Part {
    static final String NAME = "proxy";
    static final String OWN = "cairn-proxy";
    static final String PEER = "kube-proxy";
    static final String FIRST = "first sync, s";
    static final String RESTART = "restart, s";
    static final String IDLE = "at rest, MB";
    static final String ADDED_P50 = "service added p50, ms";
    static final String REMOVED_P50 = "endpoint removed p50, ms";

    private static final String NODE_ADDRESS = "192.0.2.1";
    private static final String PROBE = "10.96.255.1";
    private static final List<String> ENDPOINTS = List.of("10.200.0.1", "10.200.0.2");
    private static final int PATIENCE_SECONDS = 300;
    /** Each takes kube-proxy many seconds. */
    private static final int CHANGES = 10;
    private static final String CPU_FIRST = "CPU of the first sync, s";
    private static final String READY = "then, MB";
    private static final String ADDED_MOST = "most, ms";
    private static final String REMOVED_MOST = "at most, ms";
    private static final String CPU_CHANGE = "CPU, ms/change";

    private int added;

    @Override
    public Chapter chapter() {
        return new Chapter(NAME, "The proxy with nftables", """
                9,000 services with ten endpoints each (and 1,000 headless ones) from a real API server, in one network namespace. *First sync* is from the start of the command
                to the first connection through the service that is programmed last; *restart* the same after `kill -9`, for a service that was added meanwhile, both several times in turn;
                *endpoint removed* is from the first byte of the watch's event to the first connection after which none reached it any more. The longest time of
                *service added* is the client's: it tries without a pause, the kernel sends only a few refusals a second, and then the client repeats its packet after a second.
                kube-proxy's CPU of the first sync is too low: its `nft` has not ended when it is read.""", PEER, List.of(
                new Chart("proxy-sync", "The proxy: until all services are reached", "s", Chart.Kind.BARS, List.of(FIRST, RESTART)),
                new Chart("proxy-changes", "The proxy: until one change is in the kernel", "ms", Chart.Kind.BARS, List.of(ADDED_P50, REMOVED_P50))));
    }

    @Override
    public int seconds(Plan plan) {
        // For each service kube-proxy needs 6 ms for a start on an empty kernel and one on a full one, and 15 for all changes together.
        return 40 + plan.proxyServices() * (15 + 6 * plan.rounds()) / 1000 + 2 * plan.idle();
    }

    @Override
    public int services(Plan plan) {
        return plan.proxyServices() * 10 / 9;
    }

    @Override
    public boolean isLong() {
        return true;
    }

    /** Measures in a child, which has a network of its own, and writes its figures to a file. */
    @Override
    public void measure(Run run, Samples samples) throws IOException, InterruptedException {
        Path figures = run.directory("proxy").resolve("figures");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        int status = new ProcessBuilder("unshare", "--net", java.toString(), "-Xmx256m", "-XX:+UseSerialGC", "-Dstdout.encoding=UTF-8", "-cp",
                System.getProperty("java.class.path"), ProxyPart.class.getName(), run.cairnCommand().toString(), run.proxyCommand().toString(),
                figures.toString(), Boolean.toString(run.plan().equals(Plan.quick()))).inheritIO().start().waitFor();
        Figures.read(figures).section(NAME).ifPresent(section -> section.figures().forEach(samples::add));
        if (status != 0) {
            throw new IOException("the process that measures proxies ended with " + status);
        }
    }

    /** For {@link #measure(Run, Samples)}: CAIRN CAIRN-PROXY FILE QUICK. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Plan plan = Boolean.parseBoolean(args[3]) ? Plan.quick() : Plan.whole();
        Samples samples = new Samples(NAME);
        Progress progress = new Progress(System.out, System::nanoTime, 1, new ProxyPart().seconds(plan));
        progress.part(NAME, "in a network of its own", new ProxyPart().seconds(plan));
        int status = 0;
        try (Run run = new Run(plan, progress, ClusterStore.usual(System.getenv()), Path.of(args[0]), Path.of(args[1]))) {
            new ProxyPart().inside(run, samples);
        } catch (IOException | RuntimeException e) {
            System.err.println("proxy: " + e.getMessage());
            status = 1;
        }
        Figures figures = new Figures();
        figures.replace(samples.section());
        figures.write(Path.of(args[2]));
        System.exit(status);
    }

    private void inside(Run run, Samples samples) throws IOException, InterruptedException {
        network();
        try (RealCluster cluster = run.open(services(run.plan()), 0); Traffic traffic = new Traffic()) {
            for (int i = 0; i < ENDPOINTS.size(); i++) {
                traffic.listen(ENDPOINTS.get(i), i);
            }
            KubeApi api = cluster.admin();
            api.create("{apiVersion: v1, kind: Node, metadata: {name: node-0}, status: {addresses: [{type: InternalIP, address: " + NODE_ADDRESS + "}]}}");
            api.create("{apiVersion: v1, kind: Namespace, metadata: {name: zz}}");
            slice(api, "probe", ENDPOINTS);
            service(api, "probe", PROBE);
            for (String name : List.of(OWN, PEER)) {
                measure(run, cluster, name, samples);
            }
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

    /** Starts on an empty kernel and again on what was left there, several times; the last time with memory at rest and changes. */
    private void measure(Run run, RealCluster cluster, String name, Samples samples) throws IOException, InterruptedException {
        for (int i = 1; i <= run.plan().rounds(); i++) {
            boolean last = i == run.plan().rounds();
            first(run, cluster, name, samples, last);
            again(run, cluster, name, samples, last);
            command("nft", "flush", "ruleset");
        }
    }

    private static void first(Run run, RealCluster cluster, String name, Samples samples, boolean last) throws IOException, InterruptedException {
        run.progress().step("starting %s", name);
        long begun = System.nanoTime();
        try (ServerProcess proxy = start(run, name, cluster.adminKubeconfig())) {
            samples.add(FIRST, name, millis(begun, await(proxy, PROBE)) / 1e3);
            samples.add(CPU_FIRST, name, proxy.cpuMillisWithChildren() / 1e3);
            samples.add(READY, name, proxy.residentMegabytes());
            if (last) {
                run.idle();
                samples.add(IDLE, name, proxy.residentMegabytes());
            }
            proxy.kill();
        }
    }

    private void again(Run run, RealCluster cluster, String name, Samples samples, boolean last) throws IOException {
        String direct = Files.readString(cluster.adminKubeconfig());
        added++;
        slice(cluster.admin(), "added-" + added, ENDPOINTS);
        service(cluster.admin(), "added-" + added, "10.96.254." + added);
        String token = Run.token(cluster);
        try (Relay relay = new Relay(cluster.port(), cluster.authority(), token)) {
            Path config = Files.writeString(run.directory("relayed").resolve("kubeconfig"), direct.replace(cluster.url(), relay.url())
                    .replaceAll(", certificate-authority: \"[^\"]*\"", "").replace("token: \"" + token + '"', ""));
            run.progress().step("starting %s again", name);
            long begun = System.nanoTime();
            try (ServerProcess proxy = start(run, name, config)) {
                samples.add(RESTART, name, millis(begun, await(proxy, "10.96.254." + added)) / 1e3);
                if (last) {
                    change(run, cluster.admin(), relay, proxy, samples);
                }
            }
        }
    }

    private void change(Run run, KubeApi api, Relay relay, ServerProcess proxy, Samples samples) throws IOException {
        int changes = Math.min(CHANGES, run.plan().changes());
        run.progress().step("adding services and removing endpoints, %d times, with %s", changes, proxy.name());
        long cpu = proxy.cpuMillisWithChildren();
        List<Double> additions = new ArrayList<>();
        List<Double> removals = new ArrayList<>();
        for (int i = 0; i < changes; i++) {
            additions.add(add(api, relay, proxy));
            relay.reset();
            endpoints(api, ENDPOINTS.subList(1, 2));
            removals.add(millis(sent(relay), Traffic.awaitAllTo(1, PROBE, PATIENCE_SECONDS)));
            endpoints(api, ENDPOINTS);
            Traffic.awaitAnswerOf(0, PROBE, PATIENCE_SECONDS);
        }
        samples.add(ADDED_P50, proxy.name(), percentile(additions, 50));
        samples.add(ADDED_MOST, proxy.name(), percentile(additions, 100));
        samples.add(REMOVED_P50, proxy.name(), percentile(removals, 50));
        samples.add(REMOVED_MOST, proxy.name(), percentile(removals, 100));
        samples.add(CPU_CHANGE, proxy.name(), (proxy.cpuMillisWithChildren() - cpu) / (3.0 * changes));
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

    private static ServerProcess start(Run run, String name, Path kubeconfig) throws IOException {
        boolean own = name.equals(OWN);
        List<String> command = new ArrayList<>(List.of(own ? run.proxyCommand().toString() : Peers.find("kube-proxy").toString(),
                "--kubeconfig", kubeconfig.toString(), "--proxy-mode", "nftables", "--hostname-override", "node-0", "--cluster-cidr", "10.128.0.0/9"));
        if (!own) {
            // The settings of the connection tracker are the machine's, not the namespace's.
            command.addAll(List.of("--conntrack-max-per-core", "0", "--conntrack-tcp-timeout-established", "0s", "--conntrack-tcp-timeout-close-wait", "0s"));
        }
        return ServerProcess.start(name, 0, run.directory(name).resolve("log"), command, Processors.ANY);
    }

    private static double percentile(List<Double> values, int percent) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }
}
