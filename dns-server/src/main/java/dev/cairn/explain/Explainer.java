package dev.cairn.explain;

import dev.cairn.explain.Explanation.Heard;
import dev.cairn.explain.Explanation.Try;
import dev.cairn.explain.OfflineServer.Trace;
import dev.cairn.facts.Address;
import dev.cairn.plugin.kubernetes.KubernetesPlugin;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.WireName;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds out how a name is answered. */
public final class Explainer {
    private static final WireName USUAL_ZONE = WireName.parse("cluster.local.");

    private final Question question;
    private final @Nullable Path proxyLauncher;
    private final Consumer<String> progress;
    private final @Nullable RunningServer running;
    private final String name;
    private final List<Integer> types;

    /**
     * Makes one for a question.
     *
     * @param proxyLauncher what {@code cairn-proxy} is run by; null to run nothing
     * @param progress is told, in lines for the user, what takes long and what cannot be read
     */
    public Explainer(Question question, @Nullable Path proxyLauncher, Consumer<String> progress) {
        this.question = question;
        this.proxyLauncher = proxyLauncher;
        this.progress = progress;
        InetSocketAddress server = question.server();
        this.running = server == null ? null : new RunningServer(server);
        Address address = Address.parse(question.name());
        this.name = address == null ? question.name() : ReverseReasons.nameOf(address);
        this.types = question.type() != 0 ? List.of(question.type())
                : address != null ? List.of(DnsType.PTR)
                : question.name().startsWith("_") ? List.of(DnsType.SRV)
                : List.of(DnsType.A, DnsType.AAAA);
    }

    /** Reads the cluster, asks, and says why. */
    public Explanation explain() throws ExplainFailure {
        if (!question.hasConfiguration()) {
            return askOnly();
        }
        Configuration configuration = Configuration.of(question);
        try (OfflineServer server = OfflineServer.start(configuration, question.at())) {
            KubernetesPlugin cluster = server.cluster();
            ClusterFacts facts = cluster == null ? new ClusterFacts() : Gathering.of(server, cluster, wantsPods(), progress);
            WireName zone = cluster == null ? USUAL_ZONE : cluster.settings().primary();
            Client client = Client.of(question.from(), facts, zone);
            Reasons reasons = new Reasons(cluster, facts, configuration.standIn());
            List<Try> tries = tries(client, (candidate, type) -> {
                Trace trace = server.ask(candidate.name(), type, client.asking());
                Finding finding = isTooMuch(candidate, zone)
                        ? Finding.because("the search path adds to a name that already ends with " + zone)
                        : reasons.of(candidate.name(), DnsType.toText(type), trace);
                Heard heard = running == null ? null : running.ask(candidate.name(), type, trace.reply());
                return new Try(candidate.name().toString(), DnsType.toText(type), candidate.suffix(), trace.reply(), trace.legs(),
                        trace.passedOver(), finding, heard);
            });
            Try last = tries.getLast();
            List<ProxyTrace.Walk> walks =
                    last.reply().answers() ? new ProxyTrace(facts, question, proxyLauncher).of(last, client) : List.of();
            return new Explanation(question.name(), client, tries, serverText(), walks, notes(client, server));
        }
    }

    private List<String> notes(Client client, OfflineServer server) {
        List<String> notes = new ArrayList<>(client.conf().notes());
        if (server.cluster() == null && (question.kubeconfig() != null || !question.manifests().isEmpty())) {
            notes.add((question.kubeconfig() == null ? "--manifests" : "--kubeconfig")
                    + " has no effect: the Corefile has no kubernetes directive; add one, or leave out --conf");
        }
        List<String> others = server.otherAddresses();
        if (!others.isEmpty()) {
            notes.add("this is what " + server.address() + " answers; the Corefile says something else for " + Words.and(others)
                    + ": choose with --at ADDRESS[:PORT]");
        }
        return notes;
    }

    private boolean isTooMuch(ResolvConf.Candidate candidate, WireName zone) {
        return !candidate.suffix().isEmpty() && WireName.parse(name).isWithin(zone);
    }

    /** Pods are many, so they are read only if who asks or the name has to do with them. */
    private boolean wantsPods() {
        String lower = name.toLowerCase(Locale.ROOT);
        return !question.from().isEmpty() || lower.contains(".pod") || lower.contains(".arpa");
    }

    private Explanation askOnly() throws ExplainFailure {
        RunningServer server = running;
        if (server == null) {
            throw new ExplainFailure("which cluster? Add --manifests PATH, --kubeconfig FILE, --conf FILE or --server ADDRESS");
        }
        Client client = Client.of(question.from(), new ClusterFacts(), USUAL_ZONE);
        List<Try> tries = tries(client, (candidate, type) -> {
            Heard heard = server.ask(candidate.name(), type, null);
            if (!heard.error().isEmpty()) {
                throw new ExplainFailure("server " + serverText() + ": " + heard.error());
            }
            return new Try(candidate.name().toString(), DnsType.toText(type), candidate.suffix(), heard.reply(), List.of(), List.of(),
                    Finding.NOTHING, heard);
        });
        List<String> notes = new ArrayList<>(client.conf().notes());
        notes.add("only the server was asked; add --manifests PATH or --kubeconfig FILE to be told why");
        return new Explanation(question.name(), client, tries, serverText(), List.of(), notes);
    }

    private String serverText() {
        InetSocketAddress server = question.server();
        if (server == null) {
            return "";
        }
        String host = server.getAddress() == null ? server.getHostString() : String.valueOf(Address.of(server.getAddress().getAddress()));
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + server.getPort();
    }

    private interface Asking {
        Try ask(ResolvConf.Candidate candidate, int type) throws ExplainFailure;
    }

    /** Goes on as resolvers do, until there is an answer; for addresses, of either family. */
    private List<Try> tries(Client client, Asking asking) throws ExplainFailure {
        List<Try> tries = new ArrayList<>();
        for (ResolvConf.Candidate candidate : candidates(client)) {
            for (int type : types) {
                Try one = asking.ask(candidate, type);
                tries.add(one);
                if (one.reply().answers()) {
                    return tries;
                }
                if (!one.reply().result().equals("NODATA")) {
                    break;
                }
            }
        }
        return tries;
    }

    private List<ResolvConf.Candidate> candidates(Client client) throws ExplainFailure {
        try {
            return client.conf().candidates(name);
        } catch (IllegalArgumentException e) {
            throw new ExplainFailure(String.valueOf(e.getMessage()));
        }
    }
}
