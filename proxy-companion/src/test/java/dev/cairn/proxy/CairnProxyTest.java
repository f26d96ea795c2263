package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.log.Log;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CairnProxyTest {
    private static final String CLUSTER = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1, labels: {topology.kubernetes.io/zone: z1}}
            status: {addresses: [{type: InternalIP, address: 192.168.0.2}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: shop}
            spec:
              type: NodePort
              clusterIP: 10.96.0.20
              externalTrafficPolicy: Local
              sessionAffinity: ClientIP
              ports: [{name: http, port: 80, nodePort: 30080}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: http, port: 8080}]
            endpoints:
            - {addresses: [10.1.0.5], nodeName: n1}
            - {addresses: [10.1.0.6], nodeName: n2}
            """;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeCluster() throws IOException {
        Files.writeString(directory.resolve("cluster.yaml"), CLUSTER);
    }

    private int run(String... args) {
        CommandLine line = CairnProxy.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(args);
    }

    private String manifests() {
        return "--manifests=" + directory;
    }

    @AfterEach
    void asBefore() {
        Log.format(Log.Format.TEXT);
        Log.debugging(false);
    }

    @Test
    void the_log_is_as_kube_proxys_settings_say() throws IOException {
        Path config = Files.writeString(directory.resolve("config.conf"), "kind: KubeProxyConfiguration\nlogging: {format: json, verbosity: 4, flushFrequency: 5s}\n");
        assertThat(run("plan", manifests(), "--config", config.toString())).as(err.toString()).isZero();
        assertThat(Log.format()).isEqualTo(Log.Format.JSON);
        assertThat(Log.debugging()).isTrue();
        assertThat(run("plan", manifests(), "--config", config.toString(), "--logging-format", "text", "-v2")).as(err.toString()).isZero();
        assertThat(Log.format()).isEqualTo(Log.Format.TEXT);
        assertThat(Log.debugging()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "--logging-format=xml, 'cairn-proxy: logging format \"xml\" is unknown: write text or json'",
        "--v=loud, 'cairn-proxy: logging.verbosity \"loud\" is not a number'",
    })
    void mistakes_in_how_to_log_are_one_line(String flag, String line) {
        assertThat(run("plan", manifests(), flag)).isEqualTo(CairnProxy.USAGE);
        assertThat(err.toString().lines()).containsExactly(line);
    }

    @Test
    void why_a_command_ends_is_in_the_form_of_the_log() {
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        PrintStream before = Log.redirect(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            assertThat(run("--once", manifests(), "--proxy-mode", "userspace", "--logging-format", "json")).isEqualTo(CairnProxy.USAGE);
        } finally {
            Log.redirect(before);
        }
        assertThat(err.toString()).isEmpty();
        assertThat(logged.toString(StandardCharsets.UTF_8)).contains("\"level\":\"ERROR\",\"msg\":\"--once has no use with mode userspace");
    }

    @Test
    void settings_of_kube_proxy_that_do_nothing_here_are_taken_and_told_once() throws IOException {
        Path config = Files.writeString(directory.resolve("config.conf"), "kind: KubeProxyConfiguration\nmod: ipvs\n");
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        PrintStream before = Log.redirect(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            assertThat(run("plan", manifests(), "--config", config.toString(), "--profiling", "--iptables-sync-period", "30s")).as(err.toString()).isZero();
        } finally {
            Log.redirect(before);
        }
        assertThat(logged.toString(StandardCharsets.UTF_8).lines()).containsExactly(
                "[WARNING] " + config + ":2: mod is no setting of a KubeProxyConfiguration and has no effect: did you mean mode?",
                "[INFO] without effect here: --iptables-sync-period, --profiling");
    }

    @Test
    void settings_are_written_where_it_is_wished() throws IOException {
        Path to = directory.resolve("written.conf");
        assertThat(run("--write-config-to", to.toString(), "--cluster-cidr", "10.1.0.0/16", "--mode", "iptables")).as(err.toString()).isZero();
        assertThat(Files.readString(to).lines()).containsExactly("apiVersion: kubeproxy.config.k8s.io/v1alpha1", "kind: KubeProxyConfiguration",
                "clusterCIDR: \"10.1.0.0/16\"", "mode: \"iptables\"");
    }

    @ParameterizedTest
    @CsvSource({
        "--oom-score-adj=2000, 'cairn-proxy: oomScoreAdj \"2000\" is out of bounds: write a number from -1000 to 1000'",
        "--bind-address=eth0, 'cairn-proxy: bindAddress \"eth0\" is not an address'",
    })
    void mistakes_in_where_it_runs_are_one_line(String flag, String line) {
        assertThat(run("plan", manifests(), flag)).isEqualTo(CairnProxy.USAGE);
        assertThat(err.toString().lines()).containsExactly(line);
    }

    @Test
    void plan_tells_where_each_frontend_leads() {
        assertThat(run("plan", manifests(), "--hostname-override", "n1")).as(err.toString()).isZero();
        assertThat(out.toString().lines()).containsExactly(
                "shop/web",
                "  cluster IP 10.96.0.20:80/TCP -> 10.1.0.5:8080 10.1.0.6:8080, affinity 10800 s",
                "  node port *:30080/TCP -> 10.1.0.5:8080, policy Local (the node: 10.1.0.5:8080 10.1.0.6:8080), masqueraded from the node,"
                        + " affinity 10800 s");
    }

    @Test
    void plan_tells_what_is_masqueraded() {
        assertThat(run("plan", manifests(), "--hostname-override", "n1", "--cluster-cidr", "10.1.0.0/16")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("10.1.0.6:8080, masqueraded unless from a pod, affinity",
                "policy Local (pods and the node: 10.1.0.5:8080 10.1.0.6:8080), masqueraded from the node");
        assertThat(run("plan", manifests(), "--hostname-override", "n1", "--masquerade-all")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("10.1.0.6:8080, masqueraded, affinity");
        assertThat(run("plan", "-o", "json", manifests(), "--hostname-override", "n1", "--mode", "userspace")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("\"localEndpoints\":[\"10.1.0.5:8080\"],\"masquerade\":\"all\"");
    }

    @Test
    void plan_in_json_is_for_other_programs() {
        assertThat(run("plan", "-o", "json", manifests(), "--hostname-override", "n3")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("\"at\":\"*:30080/TCP\",\"verdict\":\"drop\",\"endpoints\":[]");
    }

    @Test
    void trace_says_why() {
        assertThat(run("trace", manifests(), "--hostname-override", "n1", "--cluster-cidr", "10.1.0.0/16", "--from", "203.0.113.9", "--to", "192.168.0.2:30080/tcp"))
                .as(err.toString()).isZero();
        assertThat(out.toString()).contains("node port *:30080/TCP of service shop/web", "externalTrafficPolicy Local", "10.1.0.6:8080 is left out: it is on another node",
                "by element tcp . 30080 of map service-nodeports in table ip cairn-proxy", "-> 10.1.0.5:8080", "source: 203.0.113.9");
    }

    private String trace(String mode, String from, String to) {
        int before = out.getBuffer().length();
        assertThat(run("trace", manifests(), "--hostname-override", "n1", "--cluster-cidr", "10.1.0.0/16", "--mode", mode, "--from", from, "--to", to))
                .as(err.toString()).isZero();
        return out.toString().substring(before);
    }

    @Test
    void trace_knows_what_a_mode_does_differently() {
        assertThat(trace("nftables", "10.1.0.9", "192.168.0.2:30080")).contains("-> 10.1.0.5:8080", "-> 10.1.0.6:8080", "source: 10.1.0.9");
        assertThat(trace("ipvs", "10.1.0.9", "192.168.0.2:30080")).contains("a virtual server cannot tell who asks", "-> 10.1.0.5:8080").doesNotContain("-> 10.1.0.6");
        assertThat(trace("ipvs", "10.1.0.9", "10.96.0.20:81")).contains("-> reject");
        assertThat(trace("iptables", "10.1.0.9", "10.96.0.20:81")).contains("-> not touched");
        assertThat(trace("iptables", "10.1.0.9", "10.96.0.20:80")).containsPattern("by chain KUBE-SVC-[A-Z2-7]{16} of table nat");
        assertThat(trace("userspace", "10.1.0.9", "10.96.0.20:80")).contains("source: an address of this node");
    }

    @Test
    void trace_says_that_mode_userspace_refuses_sctp() throws IOException {
        Files.writeString(directory.resolve("cluster.yaml"), CLUSTER.replace("port: 80,", "port: 80, protocol: SCTP,").replace("port: 8080}", "port: 8080, protocol: SCTP}"));
        assertThat(trace("userspace", "10.1.0.9", "10.96.0.20:80/sctp")).contains("does not carry SCTP", "-> reject");
        assertThat(trace("nftables", "10.1.0.9", "10.96.0.20:80/sctp")).contains("-> 10.1.0.5:8080");
    }

    @Test
    void trace_says_why_endpoints_are_left_out() throws IOException {
        Files.writeString(directory.resolve("cluster.yaml"), CLUSTER
                + "- {addresses: [10.1.0.7], nodeName: n1, conditions: {ready: false}}\n"
                + "- {addresses: [10.1.0.8], nodeName: n1, conditions: {ready: false, serving: true, terminating: true}}\n");
        assertThat(trace("nftables", "10.1.0.9", "10.96.0.20:80")).contains(
                "10.1.0.7:8080 is left out: it is not ready", "10.1.0.8:8080 is left out: it is terminating");
    }

    @Test
    void dry_run_prints_the_rules() {
        assertThat(run("--dry-run", manifests(), "--hostname-override", "n1")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("add element ip cairn-proxy endpoints-tcp { 10.96.0.20 . tcp . 80 . 0 : 10.1.0.5 . 8080, ");
    }

    @Test
    void dry_run_of_mode_userspace_prints_where_packets_are_led() {
        assertThat(run("--dry-run", manifests(), "--hostname-override", "n1", "--proxy-mode", "userspace")).as(err.toString()).isZero();
        assertThat(out.toString()).startsWith("# The ports of listeners are chosen by the kernel; here they are counted from 40001 on.\n")
                .contains("add element ip cairn-userspace ports { 10.96.0.20 . tcp . 80 : 40001 }",
                        "add element ip cairn-userspace nodeport-local-ports { tcp . 30080 : 40002 }");
    }

    @Test
    void once_is_refused_where_the_process_carries_traffic() {
        assertThat(run("--once", manifests(), "--proxy-mode", "userspace")).isEqualTo(CairnProxy.USAGE);
        assertThat(err.toString().lines()).containsExactly(
                "cairn-proxy: --once has no use with mode userspace, in which the process itself carries traffic: leave it out");
    }

    @Test
    void dry_run_prints_virtual_servers_and_what_goes_with_them() throws IOException {
        Path config = Files.writeString(directory.resolve("config.conf"), """
                apiVersion: kubeproxy.config.k8s.io/v1alpha1
                kind: KubeProxyConfiguration
                mode: ipvs
                clusterCIDR: 10.1.0.0/16
                nodePortAddresses: [192.168.0.0/16]
                iptables: {masqueradeBit: 13}
                ipvs: {scheduler: lc, strictARP: true, tcpTimeout: 15m0s, tcpFinTimeout: 0s, udpTimeout: 0s, excludeCIDRs: [], syncPeriod: 30s}
                """);
        assertThat(run("--dry-run", manifests(), "--hostname-override", "n1", "--config", config.toString())).as(err.toString()).isZero();
        assertThat(out.toString().lines()).contains(
                "sysctl -w net.ipv4.vs.conntrack=1",
                "sysctl -w net.ipv4.conf.all.arp_ignore=1",
                "ipvsadm --set 900 0 0",
                "ip link add kube-ipvs0 type dummy",
                "ip addr add 10.96.0.20/32 dev kube-ipvs0",
                "-A -t 10.96.0.20:80 -s lc -p 10800",
                "-a -t 10.96.0.20:80 -r 10.1.0.5:8080 -m -w 1",
                "-a -t 10.96.0.20:80 -r 10.1.0.6:8080 -m -w 1",
                "-A -t 192.168.0.2:30080 -s lc -p 10800",
                "-a -t 192.168.0.2:30080 -r 10.1.0.5:8080 -m -w 1",
                "add element ip cairn-ipvs local-places { 192.168.0.2 . tcp . 30080 }");
        assertThat(out.toString()).doesNotContain("-a -t 192.168.0.2:30080 -r 10.1.0.6").contains("meta mark or 0x2000");
    }

    @Test
    void dry_run_prints_the_rules_of_iptables() {
        assertThat(run("--dry-run", manifests(), "--hostname-override", "n1", "--mode=iptables", "--cluster-cidr", "10.1.0.0/16")).as(err.toString()).isZero();
        assertThat(out.toString().lines())
                .containsSequence("# iptables-restore -w 5 --noflush", "*mangle", ":KUBE-PROXY-CANARY - [0:0]", "COMMIT", "*filter")
                .contains("-A KUBE-NODEPORTS -p tcp -m comment --comment \"shop/web:http\" -m tcp --dport 30080 -j KUBE-EXT-67NZLRHBNDSAWJRO")
                .contains("# ip6tables-restore -w 5 --noflush");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--ipvs-scheduler=magic | ipvs.scheduler \"magic\" is unknown: write rr, wrr, lc, wlc, sh, dh, sed, nq or mh",
        "--ipvs-tcp-timeout=soon | ipvs.tcpTimeout \"soon\" is not a time: write it as 30s, 5m or 1h30m",
        "--mode=magic | mode \"magic\" is unknown: write nftables, ipvs, iptables, userspace or auto",
        "--iptables-variant=old | iptables variant \"old\" is unknown: write nft, legacy, plain or auto",
        "--cluster-cidr=10.0.0.0 | \"10.0.0.0\" is not a range of addresses: write ADDRESS/PREFIX, such as 10.96.0.0/12",
        "--detect-local-mode=BridgeInterface | detectLocalMode BridgeInterface needs the name of an interface in detectLocal.bridgeInterface",
        "--udp-timeout=soon | udpIdleTimeout \"soon\" is not a time: write it as 30s, 5m or 1h30m",
        "--udp-timeout=0 | udpIdleTimeout \"0\" is too short: write a time such as 60s",
        "--manifests=/no/such/place | /no/such/place: there is no such file or directory",
        "--config=/no/such/file | /no/such/file: there is no such file",
    })
    void what_is_wrong_is_said_in_one_line(String flag, String line) {
        assertThat(run("--dry-run", manifests(), flag)).isEqualTo(CairnProxy.USAGE);
        assertThat(err.toString().lines()).containsExactly("cairn-proxy: " + line);
    }

    @Test
    void a_configuration_of_kube_proxy_is_taken_and_flags_win() throws IOException {
        Path config = Files.writeString(directory.resolve("config.conf"), """
                apiVersion: kubeproxy.config.k8s.io/v1alpha1
                kind: KubeProxyConfiguration
                mode: nftables
                clusterCIDR: 10.244.0.0/16
                hostnameOverride: n1
                nftables: {masqueradeAll: true, masqueradeBit: 12}
                nodePortAddresses: [192.168.0.0/16]
                conntrack: {maxPerCore: null}
                """);
        assertThat(run("--dry-run", manifests(), "--config", config.toString())).as(err.toString()).isZero();
        assertThat(out.toString()).contains("@cluster-ips meta mark set meta mark or 0x1000", "nodeport-ips { 192.168.0.2 }", "fib saddr type local");
        out.getBuffer().setLength(0);
        assertThat(run("--dry-run", manifests(), "--config", config.toString(), "--masquerade-all=false")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("@cluster-ips ip saddr != 10.244.0.0/16 meta mark set");
    }
}
