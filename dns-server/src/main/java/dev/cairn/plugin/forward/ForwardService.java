package dev.cairn.plugin.forward;

import dev.cairn.plugin.Block;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.MessageTap;
import dev.cairn.upstream.Lane;
import dev.cairn.upstream.TlsContexts;
import dev.cairn.upstream.Upstream;
import dev.cairn.upstream.Upstream.Scheme;
import dev.cairn.upstream.UpstreamLoops;
import dev.cairn.wire.AddressText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes a {@link ForwardPlugin} into service and out of it. Used by the thread that changes the configuration. */
final class ForwardService {
    /** The most upstreams one {@code forward} may have, as in CoreDNS. */
    static final int MAX_UPSTREAMS = 15;

    private final ForwardSettings settings;
    private final ForwardPlugin plugin;
    private final Block block;
    private final Host host;
    private @Nullable UpstreamLoops loops;
    private @Nullable Forwarder forwarder;

    ForwardService(ForwardSettings settings, ForwardPlugin plugin, Block block) {
        this.settings = settings;
        this.plugin = plugin;
        this.block = block;
        this.host = block.host();
    }

    /** Reads files, looks up names, and lets queries come. Connections are opened when they are needed. */
    void start() throws IOException {
        Map<String, Upstream> upstreams = new LinkedHashMap<>();
        List<Destination> destinations = new Addresses(settings.resolvers(), settings.serverName()).expand(settings.to());
        if (destinations.isEmpty()) {
            throw new IOException("plugin/forward: no valid upstream addresses found: the files have no nameserver lines");
        }
        if (destinations.size() > MAX_UPSTREAMS) {
            throw new IOException("plugin/forward: more than " + MAX_UPSTREAMS + " upstreams: " + destinations.size());
        }
        TlsContexts tls = tls(destinations);
        UpstreamLoops used = host.process().get(UpstreamLoops.class, UpstreamLoops::new);
        List<Lane> lanes = used.acquire();
        loops = used;
        for (Destination destination : destinations) {
            if (!upstreams.containsKey(destination.toString())) {
                upstreams.put(destination.toString(), upstream(destination, tls, lanes));
            }
        }
        MessageTap[] taps = block.plugins().stream().filter(MessageTap.class::isInstance).toArray(MessageTap[]::new);
        forwarder = new Forwarder(settings, List.copyOf(upstreams.values()), lanes, taps, host.metrics());
        plugin.serve(forwarder);
    }

    private @Nullable TlsContexts tls(List<Destination> destinations) throws IOException {
        boolean quic = destinations.stream().anyMatch(one -> one.scheme() == Scheme.QUIC);
        if (destinations.stream().allMatch(one -> one.scheme() == Scheme.DNS)) {
            return null;
        }
        List<Path> files = settings.tls();
        int authorities = files.size() == 1 ? 0 : 2;
        try {
            return TlsContexts.of(files.size() > 1 ? files.get(0) : null, files.size() > 1 ? files.get(1) : null,
                    files.size() > authorities ? files.get(authorities) : null, quic);
        } catch (IOException e) {
            throw new IOException("plugin/forward: " + e.getMessage(), e);
        }
    }

    private Upstream upstream(Destination to, @Nullable TlsContexts tls, List<Lane> lanes) throws IOException {
        boolean interfaceName = to.scheme() == Scheme.DNS && !to.zone().isEmpty();
        InetAddress address = literal(interfaceName ? to.host() + "%" + to.zone() : to.host());
        StringBuilder label = new StringBuilder();
        AddressText.appendBracketed(label, address.getAddress(), address.getAddress().length);
        label.append(':').append(to.port());
        String name = to.scheme() != Scheme.DNS && !to.zone().isEmpty() ? to.zone() : settings.serverName();
        return new Upstream(to.scheme(), new InetSocketAddress(address, to.port()), label.toString(), name,
                to.scheme() == Scheme.DNS ? null : tls, settings.upstreams(), settings.health(), host.metrics(), lanes);
    }

    /** The address was checked when it was read; its interface, if it has one, can be looked for only here. */
    private static InetAddress literal(String address) throws IOException {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new IOException("plugin/forward: " + address + ": this machine has no such interface; write the name of one after the %", e);
        }
    }

    /** Queries that are on their way get their answers. */
    void stop() {
        plugin.serve(null);
        if (forwarder != null) {
            forwarder.stop();
            forwarder = null;
        }
        if (loops != null) {
            loops.release();
            loops = null;
        }
    }
}
