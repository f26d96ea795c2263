package dev.cairn.explain;

import dev.cairn.chain.Chain;
import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Route;
import dev.cairn.chain.RouteFilter;
import dev.cairn.chain.Router;
import dev.cairn.corefile.Problems;
import dev.cairn.facts.Address;
import dev.cairn.listen.ListenAddress;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.kubernetes.KubernetesPlugin;
import dev.cairn.server.Instance;
import dev.cairn.server.InstanceBuilder;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/** A configuration in service without sockets, whose chains have probes. One thread asks. */
final class OfflineServer implements AutoCloseable {
    private static final int DNS_PORT = 53;
    private static final long PATIENCE_SECONDS = 30;
    private static final int EDNS_SIZE = 1232;

    private final Configuration configuration;
    private final Host host;
    private final Instance instance;
    private final ListenAddress address;
    private final Router router;
    private final Recorder recorder = new Recorder();
    private final Dispatcher dispatcher;
    private @Nullable RuntimeException defect;

    /** A question's answer and the ways that led to it, the client's first. */
    record Trace(Reply reply, List<Leg> legs, List<String> passedOver) {}

    private OfflineServer(Configuration configuration, @Nullable InetSocketAddress at) throws ExplainFailure {
        this.configuration = configuration;
        this.host = Host.offline(configuration.corefile()::digest);
        Problems problems = new Problems();
        instance = InstanceBuilder.build(configuration.corefile(), host, DNS_PORT, problems);
        Configuration.check(problems);
        address = at == null ? usual() : named(at);
        router = router();
        dispatcher = new Dispatcher((_, thrown) -> defect = thrown);
    }

    /**
     * Puts a configuration into service.
     *
     * @param at the address that is asked; null for the one that a pod would ask
     */
    static OfflineServer start(Configuration configuration, @Nullable InetSocketAddress at) throws ExplainFailure {
        OfflineServer server = new OfflineServer(configuration, at);
        try {
            server.instance.start();
        } catch (IOException e) {
            server.close();
            throw new ExplainFailure(String.valueOf(e.getMessage()));
        }
        return server;
    }

    private ListenAddress usual() throws ExplainFailure {
        return instance.sites().keySet().stream()
                .min(Comparator.comparing((ListenAddress one) -> one.port() != DNS_PORT).thenComparing(one -> !one.isWildcard()))
                .orElseThrow(() -> new ExplainFailure("the Corefile has no server block for plain DNS: add one"));
    }

    private ListenAddress named(InetSocketAddress at) throws ExplainFailure {
        String host = String.valueOf(Address.of(at.getAddress().getAddress()));
        return instance.sites().keySet().stream()
                .filter(one -> one.port() == at.getPort() && (one.isWildcard() || host.equals(String.valueOf(Address.parse(one.host())))))
                .findFirst()
                .orElseThrow(() -> new ExplainFailure("the Corefile does not listen on " + host + " port " + at.getPort() + "; it does on "
                        + Words.and(instance.sites().keySet().stream().map(ListenAddress::label).toList())));
    }

    /** Addresses that other blocks or zones listen on than those of the one that is asked; a name may be answered otherwise there. */
    List<String> otherAddresses() {
        Set<String> here = served(address);
        return instance.sites().keySet().stream().filter(one -> !served(one).equals(here)).map(ListenAddress::label).toList();
    }

    String address() {
        return address.label();
    }

    private Set<String> served(ListenAddress by) {
        return instance.blocks().stream()
                .flatMap(block -> block.routes().stream()
                        .filter(route -> route.server().equals(by.label()))
                        .map(route -> block.at() + " " + route.zone()))
                .collect(Collectors.toSet());
    }

    private Router router() {
        List<Route> routes = new ArrayList<>();
        Map<Integer, RouteFilter> filters = new HashMap<>();
        for (Block block : instance.blocks()) {
            for (Route route : block.routes()) {
                if (route.server().equals(address.label())) {
                    Recorder.Stretch stretch =
                            new Recorder.Stretch(block.at(), route.zone().toString(), route.server(), route.view(), block.plugins());
                    routes.add(new Route(route.server(), route.zone(), route.view(), route.id(), route.stackTraces(),
                            new Chain(recorder.withProbes(stretch))));
                    RouteFilter filter = block.filter();
                    if (filter != null) {
                        filters.put(route.id(), noted(filter, block));
                    }
                }
            }
        }
        Route none = new Route(address.label(), WireName.ROOT, "", routes.size(), false, new Chain(List.of()));
        return new Router(routes, filters, none);
    }

    private RouteFilter noted(RouteFilter filter, Block block) {
        return exchange -> {
            boolean admits = filter.admits(exchange);
            if (!admits) {
                recorder.passedOver(block.view(), block.at());
            }
            return admits;
        };
    }

    /** The cluster that the configuration answers for; null if there is none. */
    @Nullable KubernetesPlugin cluster() {
        return instance.blocks().stream()
                .flatMap(block -> block.plugins().stream())
                .filter(KubernetesPlugin.class::isInstance)
                .map(KubernetesPlugin.class::cast)
                .findFirst()
                .orElse(null);
    }

    boolean isReady() {
        return instance.blocks().stream()
                .flatMap(block -> block.plugins().stream())
                .allMatch(plugin -> !(plugin instanceof KubernetesPlugin cluster) || cluster.isReady());
    }

    /** Asks as the client would: over UDP, and over TCP if the reply is cut short. */
    Trace ask(WireName name, int type, Address client) throws ExplainFailure {
        recorder.clear();
        Message reply = ask(name, type, client, Protocol.UDP);
        if (reply != null && reply.getHeader().getFlag(Flags.TC)) {
            recorder.clear();
            reply = ask(name, type, client, Protocol.TCP);
        }
        if (defect != null) {
            throw new ExplainFailure("a plugin has a defect: " + defect);
        }
        return new Trace(reply == null ? Reply.NONE : Reply.of(reply), recorder.legs(configuration), recorder.passedOver());
    }

    private @Nullable Message ask(WireName name, int type, Address client, Protocol by) throws ExplainFailure {
        try {
            Message query = Message.newQuery(Record.newRecord(Name.fromString(name.toString()), type, DClass.IN));
            query.addRecord(new org.xbill.DNS.OPTRecord(EDNS_SIZE, 0, 0), org.xbill.DNS.Section.ADDITIONAL);
            byte[] packet = query.toWire();
            Exchange exchange = new Exchange();
            System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
            byte[] address = client.bytes();
            exchange.from(by, address, 0, new byte[address.length], DNS_PORT, address.length);
            CompletableFuture<byte[]> later = new CompletableFuture<>();
            Dispatcher.Worker worker = Dispatcher.worker();
            int length = dispatcher.handle(exchange, packet.length, router, worker,
                    (_, reply, size) -> later.complete(Arrays.copyOf(reply, size)));
            byte[] reply = length == Dispatcher.LATER
                    ? later.get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    : Arrays.copyOf(worker.out(), Math.max(0, length));
            return reply.length == 0 ? null : new Message(reply);
        } catch (TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExplainFailure("interrupted");
        } catch (IOException | ExecutionException e) {
            throw new ExplainFailure(name + ": " + e.getMessage());
        }
    }

    @Override
    public void close() {
        instance.stop();
        dispatcher.close();
        host.scheduler().shutdownNow();
        host.http().close();
    }
}
