package dev.cairn.server;

import dev.cairn.corefile.NearestWord;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.Token;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.acl.AclSetup;
import dev.cairn.plugin.any.AnySetup;
import dev.cairn.plugin.bind.BindSetup;
import dev.cairn.plugin.bufsize.BufsizeSetup;
import dev.cairn.plugin.cancel.CancelSetup;
import dev.cairn.plugin.chaos.ChaosSetup;
import dev.cairn.plugin.debug.DebugSetup;
import dev.cairn.plugin.errors.ErrorsSetup;
import dev.cairn.plugin.header.HeaderSetup;
import dev.cairn.plugin.health.HealthSetup;
import dev.cairn.plugin.hosts.HostsSetup;
import dev.cairn.plugin.kubernetes.KubernetesSetup;
import dev.cairn.plugin.loadbalance.LoadbalanceSetup;
import dev.cairn.plugin.local.LocalSetup;
import dev.cairn.plugin.log.LogSetup;
import dev.cairn.plugin.metadata.MetadataSetup;
import dev.cairn.plugin.minimal.MinimalSetup;
import dev.cairn.plugin.multisocket.MultisocketSetup;
import dev.cairn.plugin.nsid.NsidSetup;
import dev.cairn.plugin.prometheus.PrometheusSetup;
import dev.cairn.plugin.ready.ReadySetup;
import dev.cairn.plugin.reload.ReloadSetup;
import dev.cairn.plugin.root.RootSetup;
import dev.cairn.plugin.timeouts.TimeoutsSetup;
import dev.cairn.plugin.whoami.WhoamiSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every plugin CoreDNS has, in the order in which a query meets them, whatever the order in the file. Adding one is putting its
 * set-up in the place of its name.
 */
public final class PluginList {
    private static final Map<String, Entry> ENTRIES = new LinkedHashMap<>();

    static {
        present(new RootSetup());
        present(new MetadataSetup());
        absent("geoip", "it needs a licensed database; choose server blocks by address with acl, or keep CoreDNS for this block");
        present(new CancelSetup());
        absent("proxyproto", "planned; until then let the load balancer keep client addresses");
        absent("quic", "planned with the encrypted transports");
        absent("grpc_server", "DNS over gRPC is not served; use dns://");
        absent("https", "planned with the encrypted transports");
        absent("https3", "DNS over HTTP/3 is not served; use dns://");
        present(new TimeoutsSetup());
        present(new MultisocketSetup());
        present(new ReloadSetup());
        present(new NsidSetup());
        present(new BufsizeSetup());
        present(new BindSetup());
        present(new DebugSetup());
        absent("trace", "planned; until then log tells the duration of each query");
        present(new ReadySetup());
        present(new HealthSetup());
        absent("pprof", "there are no Go profiles here; use 'jcmd PID JFR.start' instead and remove the line");
        absent("shed", "built in: a flood of packets is bounded by the sockets' buffers; remove the line");
        present(new PrometheusSetup());
        present(new ErrorsSetup());
        present(new LogSetup());
        absent("dnstap", "planned; until then use log");
        present(new LocalSetup());
        absent("dns64", "planned");
        absent("siit", "not planned; keep CoreDNS for this block");
        present(new AnySetup());
        present(new ChaosSetup());
        present(new LoadbalanceSetup());
        absent("tsig", "planned with zone transfers");
        absent("rewrite", "planned");
        absent("autopath", "planned");
        present(new AclSetup());
        absent("cache", "planned");
        present(new HeaderSetup());
        absent("dnssec", "not planned; sign zones before they are served");
        absent("tls", "planned with the encrypted transports");
        present(new MinimalSetup());
        absent("template", "planned");
        absent("transfer", "planned");
        absent("dynupdate", "not planned; change the zone file instead");
        present(new HostsSetup());
        absent("route53", "cloud zones are not read; forward the zone to the provider's resolver");
        absent("azure", "cloud zones are not read; forward the zone to the provider's resolver");
        absent("clouddns", "cloud zones are not read; forward the zone to the provider's resolver");
        absent("k8s_external", "planned");
        present(new KubernetesSetup());
        absent("file", "planned");
        absent("auto", "planned");
        absent("secondary", "planned");
        absent("etcd", "SkyDNS data is not read; keep CoreDNS for this block and forward the zone to it");
        absent("loop", "planned with forward");
        absent("forward", "planned");
        absent("grpc", "queries are not forwarded over gRPC; use forward");
        absent("erratic", "it is a test plugin; remove the line");
        present(new WhoamiSetup());
        absent("on", "commands are not run; use the service manager's hooks");
        absent("sign", "not planned; sign zones before they are served");
        absent("view", "planned");
        absent("nomad", "Nomad is not read; forward the zone to Consul or keep CoreDNS for this block");
    }

    private sealed interface Entry {}

    private record Present(PluginSetup setup) implements Entry {}

    /** @param advice what to do instead */
    private record Absent(String advice) implements Entry {}

    private PluginList() {}

    private static void present(PluginSetup setup) {
        ENTRIES.put(setup.name(), new Present(setup));
    }

    private static void absent(String name, String advice) {
        ENTRIES.put(name, new Absent(advice));
    }

    /** The plugins that are here. */
    public static List<PluginSetup> inOrder() {
        return ENTRIES.values().stream().filter(Present.class::isInstance).map(entry -> ((Present) entry).setup()).toList();
    }

    /** The names of all plugins of CoreDNS, also of those that are not here, in their order. */
    public static List<String> names() {
        return List.copyOf(ENTRIES.keySet());
    }

    /** Whether the directive is a plugin that is here; if not, says so. */
    static boolean check(Token directive, Problems problems) {
        String name = directive.text();
        return switch (ENTRIES.get(name)) {
            case Present _ -> true;
            case Absent(String advice) -> {
                problems.error(directive.at(), "plugin '" + name + "' is CoreDNS's but not in Cairn: " + advice);
                yield false;
            }
            case null -> {
                String near = NearestWord.of(name, ENTRIES.keySet());
                problems.error(directive.at(), "unknown plugin '" + name + "'; "
                        + (near == null ? "'cairn plugins' lists those there are" : "did you mean '" + near + "'?"));
                yield false;
            }
        };
    }
}
