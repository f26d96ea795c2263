package dev.cairn.server;

import dev.cairn.corefile.Problems;
import dev.cairn.corefile.Token;
import dev.cairn.log.NearestWord;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.acl.AclSetup;
import dev.cairn.plugin.any.AnySetup;
import dev.cairn.plugin.auto.AutoSetup;
import dev.cairn.plugin.autopath.AutopathSetup;
import dev.cairn.plugin.bind.BindSetup;
import dev.cairn.plugin.bufsize.BufsizeSetup;
import dev.cairn.plugin.cache.CacheSetup;
import dev.cairn.plugin.cancel.CancelSetup;
import dev.cairn.plugin.chaos.ChaosSetup;
import dev.cairn.plugin.debug.DebugSetup;
import dev.cairn.plugin.dns64.Dns64Setup;
import dev.cairn.plugin.dnstap.DnstapSetup;
import dev.cairn.plugin.errors.ErrorsSetup;
import dev.cairn.plugin.file.FileSetup;
import dev.cairn.plugin.forward.ForwardSetup;
import dev.cairn.plugin.header.HeaderSetup;
import dev.cairn.plugin.health.HealthSetup;
import dev.cairn.plugin.hosts.HostsSetup;
import dev.cairn.plugin.https.HttpsSetup;
import dev.cairn.plugin.k8sexternal.K8sExternalSetup;
import dev.cairn.plugin.kubernetes.KubernetesSetup;
import dev.cairn.plugin.loadbalance.LoadbalanceSetup;
import dev.cairn.plugin.local.LocalSetup;
import dev.cairn.plugin.log.LogSetup;
import dev.cairn.plugin.loop.LoopSetup;
import dev.cairn.plugin.metadata.MetadataSetup;
import dev.cairn.plugin.minimal.MinimalSetup;
import dev.cairn.plugin.multisocket.MultisocketSetup;
import dev.cairn.plugin.nsid.NsidSetup;
import dev.cairn.plugin.prometheus.PrometheusSetup;
import dev.cairn.plugin.proxyproto.ProxyprotoSetup;
import dev.cairn.plugin.quic.QuicSetup;
import dev.cairn.plugin.ready.ReadySetup;
import dev.cairn.plugin.reload.ReloadSetup;
import dev.cairn.plugin.rewrite.RewriteSetup;
import dev.cairn.plugin.root.RootSetup;
import dev.cairn.plugin.secondary.SecondarySetup;
import dev.cairn.plugin.template.TemplateSetup;
import dev.cairn.plugin.timeouts.TimeoutsSetup;
import dev.cairn.plugin.tls.TlsSetup;
import dev.cairn.plugin.transfer.TransferSetup;
import dev.cairn.plugin.tsig.TsigSetup;
import dev.cairn.plugin.view.ViewSetup;
import dev.cairn.plugin.trace.TraceSetup;
import dev.cairn.plugin.whoami.WhoamiSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every plugin CoreDNS has, in the order in which a query meets them, whatever the order in the file; it is CoreDNS's but for
 * {@code cache}. Adding one is putting its set-up in the place of its name.
 */
public final class PluginList {
    private static final Map<String, Entry> ENTRIES = new LinkedHashMap<>();

    static {
        present(new RootSetup());
        present(new MetadataSetup());
        absent("geoip", "it needs a licensed database; choose server blocks by address with acl, or keep CoreDNS for this block");
        present(new CancelSetup());
        present(new ProxyprotoSetup());
        present(new QuicSetup());
        absent("grpc_server", "DNS over gRPC is not served; use dns://");
        present(new HttpsSetup());
        absent("https3", "DNS over HTTP/3 is not served; use dns://");
        present(new TimeoutsSetup());
        present(new MultisocketSetup());
        present(new ReloadSetup());
        present(new NsidSetup());
        present(new BufsizeSetup());
        present(new BindSetup());
        present(new DebugSetup());
        present(new TraceSetup());
        present(new ReadySetup());
        present(new HealthSetup());
        idle("pprof", "there are no Go profiles here; use 'jcmd PID JFR.start' instead");
        idle("shed", "a flood of packets is always bounded by the sockets' buffers");
        present(new PrometheusSetup());
        present(new ErrorsSetup());
        present(new LogSetup());
        present(new DnstapSetup());
        present(new LocalSetup());
        present(new Dns64Setup());
        absent("siit", "it needs the address table of a stateless translator, which cluster networks do not have; use dns64 where NAT64 is, or keep CoreDNS for this block");
        present(new AnySetup());
        present(new ChaosSetup());
        present(new LoadbalanceSetup());
        present(new TsigSetup());
        present(new RewriteSetup());
        present(new AutopathSetup());
        present(new AclSetup());
        present(new HeaderSetup());
        absent("dnssec", "keys do not belong on servers that anybody in the cluster can ask; sign zones before they are served, file and secondary pass signatures on");
        present(new TlsSetup());
        present(new MinimalSetup());
        present(new TemplateSetup());
        present(new TransferSetup());
        absent("dynupdate", "zones are files that are kept elsewhere, and what a pod changed would go with it; change the zone file, it is read again by itself");
        present(new HostsSetup());
        absent("route53", "cloud zones are not read; forward the zone to the provider's resolver");
        absent("azure", "cloud zones are not read; forward the zone to the provider's resolver");
        absent("clouddns", "cloud zones are not read; forward the zone to the provider's resolver");
        present(new K8sExternalSetup());
        present(new KubernetesSetup());
        present(new FileSetup());
        present(new AutoSetup());
        present(new SecondarySetup());
        absent("etcd", "SkyDNS data is not read; keep CoreDNS for this block and forward the zone to it");
        present(new LoopSetup());
        // CoreDNS has it after acl. Here it stands below all that answer from memory, which are as fast as a hit and never out of date,
        // and below loop, which must see a question each time it comes round.
        present(new CacheSetup());
        present(new ForwardSetup());
        absent("grpc", "queries are not forwarded over gRPC; use forward");
        absent("erratic", "it is a test plugin; remove the line");
        present(new WhoamiSetup());
        idle("on", "commands are not run; use the hooks of the container or of the service manager");
        absent("sign", "keys do not belong on servers that anybody in the cluster can ask; sign zones with dnssec-signzone or ldns-signzone, file reads the result again by itself");
        present(new ViewSetup());
        absent("nomad", "Nomad is not read; forward the zone to Consul or keep CoreDNS for this block");
    }

    private sealed interface Entry {}

    private record Present(PluginSetup setup) implements Entry {}

    /** @param advice what to do instead */
    private record Absent(String advice) implements Entry {}

    /** @param reason why nothing is done, and what to use instead */
    private record Idle(String reason) implements Entry {}

    private PluginList() {}

    private static void present(PluginSetup setup) {
        ENTRIES.put(setup.name(), new Present(setup));
    }

    private static void absent(String name, String advice) {
        ENTRIES.put(name, new Absent(advice));
    }

    /** Puts in a plugin of CoreDNS's that changes no answer, so that a configuration with it can be served without. */
    private static void idle(String name, String reason) {
        ENTRIES.put(name, new Idle(reason));
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
        Entry entry = ENTRIES.get(name);
        if (entry instanceof Absent(String advice)) {
            problems.error(directive.at(), "plugin '" + name + "' is CoreDNS's but not in Cairn: " + advice);
        } else if (entry instanceof Idle(String reason)) {
            problems.warning(directive.at(), "plugin '" + name + "' has no effect in Cairn: " + reason + "; the line may go");
        } else if (entry == null) {
            String near = NearestWord.of(name, ENTRIES.keySet());
            problems.error(directive.at(), "unknown plugin '" + name + "'; "
                    + (near == null ? "'cairn plugins' lists those there are" : "did you mean '" + near + "'?"));
        }
        return entry instanceof Present; // a switch over types would be linked at the start, and take it some milliseconds
    }
}
