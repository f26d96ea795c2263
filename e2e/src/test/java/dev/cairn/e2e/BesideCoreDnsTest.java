package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Every name of a cluster, and many that are not there, asked of this server and of a real CoreDNS on the same API server. Where they differ
 * is listed here and explained on the plugin's page.
 */
@ExtendWith(SharedCluster.class)
class BesideCoreDnsTest {
    private static final String OPTIONS = "pods verified\nttl 30\nendpoint_pod_names\nzonal";
    private static final List<String> TYPES = List.of("A", "AAAA", "SRV", "CNAME", "PTR", "TXT", "NS", "SOA", "MX");

    private static final String CLUSTER = """
            {apiVersion: v1, kind: Namespace, metadata: {name: beside}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: beside}
            spec:
              type: NodePort
              clusterIP: 10.96.0.130
              ports: [{name: http, port: 80}, {name: https, port: 443}, {name: dns, port: 53, protocol: UDP}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1, namespace: beside, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: http, port: 8080, protocol: TCP}, {name: https, port: 8443, protocol: TCP}]
            endpoints:
            - {addresses: [10.244.20.1], hostname: w-0, zone: east, conditions: {ready: true}, targetRef: {kind: Pod, name: web-0, namespace: beside}}
            - {addresses: [10.244.20.2], zone: west, conditions: {ready: true}, targetRef: {kind: Pod, name: web-1, namespace: beside}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: both, namespace: beside}
            spec:
              ipFamilyPolicy: RequireDualStack
              clusterIP: 10.96.0.131
              clusterIPs: [10.96.0.131, "fd00:96::2002"]
              ports: [{name: http, port: 80}]
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: one-port, namespace: beside}
            spec: {clusterIP: 10.96.0.132, ports: [{port: 9000}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: set, namespace: beside}
            spec: {clusterIP: None, ports: [{name: pg, port: 5432}, {name: mon, port: 9100}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: set-4, namespace: beside, labels: {kubernetes.io/service-name: set}}
            addressType: IPv4
            ports: [{name: pg, port: 5432, protocol: TCP}, {name: mon, port: 9100, protocol: TCP}]
            endpoints:
            - {addresses: [10.244.21.1], hostname: set-0, zone: east, conditions: {ready: true}, targetRef: {kind: Pod, name: set-0, namespace: beside}}
            - {addresses: [10.244.21.2], hostname: set-1, zone: west, conditions: {ready: true}, targetRef: {kind: Pod, name: set-1, namespace: beside}}
            - {addresses: [10.244.21.3], zone: west, conditions: {ready: true}, targetRef: {kind: Pod, name: set-2, namespace: beside}}
            - {addresses: [10.244.21.4], conditions: {ready: true}}
            - {addresses: [10.244.21.5], conditions: {ready: false}, targetRef: {kind: Pod, name: set-3, namespace: beside}}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: set-6, namespace: beside, labels: {kubernetes.io/service-name: set}}
            addressType: IPv6
            ports: [{name: pg, port: 5432, protocol: TCP}, {name: mon, port: 9100, protocol: TCP}]
            endpoints:
            - {addresses: ["fd00:244::1"], hostname: set-0, zone: east, conditions: {ready: true}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: lonely, namespace: beside}
            spec: {clusterIP: None, ports: [{name: http, port: 80}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: idle, namespace: beside}
            spec: {clusterIP: 10.96.0.133, ports: [{name: http, port: 80}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: inside, namespace: beside}
            spec: {type: ExternalName, externalName: web.beside.svc.cluster.local}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: nowhere, namespace: beside}
            spec: {type: ExternalName, externalName: gone.beside.svc.cluster.local}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: lb, namespace: beside}
            spec: {type: LoadBalancer, clusterIP: 10.96.0.134, ports: [{name: http, port: 80}]}
            status: {loadBalancer: {ingress: [{ip: 192.0.2.77}]}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web-0, namespace: beside}
            spec: {nodeName: node-1, containers: [{name: main, image: none}]}
            status: {phase: Running, podIP: 10.244.20.1, podIPs: [{ip: 10.244.20.1}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: both-0, namespace: beside}
            spec: {nodeName: node-1, containers: [{name: main, image: none}]}
            status: {phase: Running, podIP: 10.244.20.9, podIPs: [{ip: 10.244.20.9}, {ip: "fd00:244::9"}]}
            """;

    private static final Pattern ADDRESS = Pattern.compile("\\b(10[.]\\d+[.]\\d+[.]\\d+|192[.]0[.]2[.]\\d+|fd00:[0-9a-f:]*[0-9a-f])");

    /** Those of an endpoint that is not ready, of pods without a service, and of a load balancer. */
    private static final Set<String> NAMELESS = Set.of("10.244.21.5", "10.244.20.9", "fd00:244::9", "192.0.2.77");

    private static final String NO_NAME = "NXDOMAIN aa |  | ";
    private static final String NO_RECORDS = "NOERROR aa |  | ";

    /**
     * A way in which the two differ, as the plugin's page tells it.
     *
     * @param questions names and types it concerns, as a pattern
     * @param ours how our outline begins
     * @param theirs how theirs begins
     */
    private record Difference(String reason, String questions, String ours, String theirs) {
        boolean explains(String question, String our, String their) {
            return question.toLowerCase(Locale.ROOT).matches(questions) && our.startsWith(ours) && their.startsWith(theirs);
        }
    }

    private static final List<Difference> DIFFERENCES = List.of(
            new Difference("a name that is not there has no SOA question that makes it exist (RFC 2308 section 2.1)", ".* soa", NO_NAME, NO_RECORDS),
            new Difference("names above others exist (RFC 8020)", "_(tcp|udp)[.].*|(pin[.])?_zone[.]set[.].*|[0-9.]+[.]in-addr[.]arpa[.]? .*|[0-9a-f.]+[.]ip6[.]arpa[.] .*",
                    NO_RECORDS, NO_NAME),
            new Difference("names that exist do so for every type (RFC 2308 section 2.2)",
                    "((beside[.])?((svc|pod)[.])?|ns[.]dns[.])cluster[.]local (txt|ptr)|dns-version[.].*", NO_RECORDS, NO_NAME),
            new Difference("nothing is below a name that is not there (RFC 8020)", ".*[.]_zone[.]lonely[.].*", NO_NAME, NO_RECORDS),
            new Difference("a pod's name has no port that an SRV record could tell", ".*[.]beside[.]pod[.]cluster[.]local srv", NO_RECORDS,
                    "NOERROR aa | "));

    @TempDir
    Path directory;

    @Test
    void answersAreTheSameNameByNameButForTheDocumentedOnes(RealCluster cluster) throws Exception {
        KubeApi api = cluster.admin();
        api.create(CLUSTER);
        String token = api.tokenFor("kube-system", SharedCluster.ACCOUNT);
        try (PodOfCairn cairn = new PodOfCairn(cluster, directory, token, OPTIONS);
                CoreDnsProcess coreDns = new CoreDnsProcess(cluster.kubeconfig("beside", token), directory, OPTIONS)) {
            cairn.becomes("lb.beside.svc.cluster.local", "A", "10.96.0.134");
            Set<String> unexplained = new TreeSet<>();
            Set<Difference> met = new HashSet<>();
            Set<String> withRecords = new TreeSet<>();
            for (String name : names()) {
                for (String type : TYPES) {
                    Message reply = cairn.ask(name, type);
                    if (!reply.getSection(Section.ANSWER).isEmpty()) {
                        withRecords.add(name);
                    }
                    String ours = outline(reply);
                    String theirs = outline(PodOfCairn.ask(coreDns.port(), name, type));
                    if (!ours.equals(theirs)) {
                        Optional<Difference> reason = DIFFERENCES.stream().filter(one -> one.explains(name + " " + type, ours, theirs)).findFirst();
                        reason.ifPresentOrElse(met::add, () -> unexplained.add(name + " " + type + "\n  ours   " + ours + "\n  theirs " + theirs));
                    }
                }
            }
            assertThat(unexplained).isEmpty();
            assertThat(withRecords).containsAll(namesWithRecords());
            assertThat(met).as("differences that are still there").containsExactlyInAnyOrderElementsOf(DIFFERENCES);
        }
    }

    /** What counts of a reply, in an order of its own. The serial differs by design, and only CoreDNS tells its link-local addresses, if there are any. */
    private static String outline(Message reply) {
        StringBuilder outline = new StringBuilder(Rcode.string(reply.getRcode()));
        outline.append(reply.getHeader().getFlag(Flags.AA) ? " aa" : "");
        for (int section : List.of(Section.ANSWER, Section.AUTHORITY, Section.ADDITIONAL)) {
            outline.append(" | ").append(String.join(", ", reply.getSection(section).stream()
                    .map(BesideCoreDnsTest::text).filter(text -> !text.contains(" aaaa fe80:")).sorted().toList()));
        }
        return outline.toString();
    }

    private static String text(Record record) {
        String data = record.getType() == Type.SOA ? "..." : record.rdataToString();
        return (record.getName() + " " + record.getTTL() + " " + Type.string(record.getType()) + " " + data).toLowerCase(Locale.ROOT);
    }

    private static Set<String> names() throws IOException {
        Set<String> names = new LinkedHashSet<>();
        for (String service : List.of("web", "both", "one-port", "set", "lonely", "idle", "inside", "nowhere", "lb", "missing")) {
            String base = service + ".beside.svc.cluster.local";
            for (String below : List.of("", "_http._tcp.", "_https._tcp.", "_dns._udp.", "_dns._tcp.", "_pg._tcp.", "_mon._tcp.", "_tcp.", "_udp.", "http.tcp.",
                    "w-0.", "web-1.", "set-0.", "set-1.", "set-2.", "set-3.", "10-244-20-1.", "10-244-21-3.", "10-244-21-4.", "10-244-21-5.", "fd00-244--1.",
                    "east.pin._zone.", "west.prefer._zone.", "north.pin._zone.", "north.prefer._zone.", "pin._zone.", "_zone.", "missing.", "a.b.")) {
                names.add(below + base);
            }
        }
        names.addAll(List.of("cluster.local", "svc.cluster.local", "pod.cluster.local", "beside.svc.cluster.local", "missing.svc.cluster.local",
                "beside.pod.cluster.local", "missing.pod.cluster.local", "10-244-20-1.beside.pod.cluster.local", "10-244-20-9.beside.pod.cluster.local",
                "fd00-244--9.beside.pod.cluster.local", "10-1-1-1.beside.pod.cluster.local", "10-244-20-1.missing.pod.cluster.local",
                "nonsense.beside.pod.cluster.local", "dns-version.cluster.local", "missing.cluster.local", "a.missing.cluster.local",
                "ns.dns.cluster.local", "kubernetes.default.svc.cluster.local", "_https._tcp.kubernetes.default.svc.cluster.local",
                "WEB.Beside.SVC.cluster.LOCAL"));
        for (String address : addresses()) {
            names.add(reverse(address));
        }
        names.addAll(List.of(reverse("9.9.9.9"), reverse("fd00:1::1"), "0.96.10.in-addr.arpa", "1.130.0.96.10.in-addr.arpa"));
        return names;
    }

    /** All that the cluster has, of services, endpoints and pods. */
    private static Set<String> addresses() {
        return ADDRESS.matcher(CLUSTER).results().map(MatchResult::group).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static String reverse(String address) throws IOException {
        return ReverseMap.fromAddress(address).toString();
    }

    /** Were these not there, the same on both sides would mean nothing. */
    private static Set<String> namesWithRecords() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String address : addresses()) {
            if (!NAMELESS.contains(address)) {
                names.add(reverse(address));
            }
        }
        for (String name : List.of("web", "both", "one-port", "set", "idle", "inside", "nowhere", "lb", "_http._tcp.web", "http.tcp.web", "_https._tcp.web",
                "_dns._udp.web", "_http._tcp.both", "_http._tcp.idle", "_http._tcp.lb", "_pg._tcp.set", "_mon._tcp.set", "w-0.web", "web-1.web", "set-0.set",
                "set-1.set", "set-2.set", "10-244-21-4.set", "east.pin._zone.set", "west.prefer._zone.set", "north.prefer._zone.set")) {
            names.add(name + ".beside.svc.cluster.local");
        }
        names.addAll(List.of("10-244-20-1.beside.pod.cluster.local", "10-244-20-9.beside.pod.cluster.local", "cluster.local", "dns-version.cluster.local",
                "kubernetes.default.svc.cluster.local", "_https._tcp.kubernetes.default.svc.cluster.local", "WEB.Beside.SVC.cluster.LOCAL"));
        return names;
    }
}
