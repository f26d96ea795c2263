package dev.cairn.server;

import dev.cairn.corefile.NearestWord;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.Token;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.cancel.CancelSetup;
import dev.cairn.plugin.debug.DebugSetup;
import dev.cairn.plugin.errors.ErrorsSetup;
import dev.cairn.plugin.log.LogSetup;
import dev.cairn.plugin.metadata.MetadataSetup;
import dev.cairn.plugin.prometheus.PrometheusSetup;
import dev.cairn.plugin.whoami.WhoamiSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every plugin CoreDNS has, in the order in which a query meets them, whatever the order in the file. Adding one is putting its set-up in the
 * place of its name.
 */
public final class PluginList {
    private static final Map<String, Entry> ENTRIES = new LinkedHashMap<>();

    static {
        absent("root", "planned");
        present(new MetadataSetup());
        absent("geoip", "it needs a licensed database; choose server blocks by address with acl, or keep CoreDNS for this block");
        present(new CancelSetup());
        absent("proxyproto", "planned; until then let the load balancer keep client addresses");
        absent("quic", "planned with the encrypted transports");
        absent("grpc_server", "DNS over gRPC is not served; use dns://");
        absent("https", "planned with the encrypted transports");
        absent("https3", "DNS over HTTP/3 is not served; use dns://");
        absent("timeouts", "planned");
        absent("multisocket", "planned");
        absent("reload", "planned");
        absent("nsid", "planned");
        absent("bufsize", "planned");
        absent("bind", "planned");
        present(new DebugSetup());
        absent("trace", "planned; until then log tells the duration of each query");
        absent("ready", "planned");
        absent("health", "planned");
        absent("pprof", "there are no Go profiles here; use 'jcmd PID JFR.start' instead and remove the line");
        absent("shed", "built in: a flood of packets is bounded by the sockets' buffers; remove the line");
        present(new PrometheusSetup());
        present(new ErrorsSetup());
        present(new LogSetup());
        absent("dnstap", "planned; until then use log");
        absent("local", "planned");
        absent("dns64", "planned");
        absent("siit", "not planned; keep CoreDNS for this block");
        absent("any", "planned");
        absent("chaos", "planned");
        absent("loadbalance", "planned");
        absent("tsig", "planned with zone transfers");
        absent("rewrite", "planned");
        absent("autopath", "planned");
        absent("acl", "planned");
        absent("cache", "planned");
        absent("header", "planned");
        absent("dnssec", "not planned; sign zones before they are served");
        absent("tls", "planned with the encrypted transports");
        absent("minimal", "planned");
        absent("template", "planned");
        absent("transfer", "planned");
        absent("dynupdate", "not planned; change the zone file instead");
        absent("hosts", "planned");
        absent("route53", "cloud zones are not read; forward the zone to the provider's resolver");
        absent("azure", "cloud zones are not read; forward the zone to the provider's resolver");
        absent("clouddns", "cloud zones are not read; forward the zone to the provider's resolver");
        absent("k8s_external", "planned");
        absent("kubernetes", "planned: the next thing to come");
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
