package dev.cairn.plugin.ready;

import dev.cairn.http.HttpEndpoints;
import dev.cairn.http.HttpReply;
import dev.cairn.log.Log;
import dev.cairn.log.RateLimit;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Readiness;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One {@code /ready}. Opened by the first block that starts, when all blocks are set up; closed by the first that ends. */
final class ReadyEndpoint {
    private static final Log LOG = Log.plugin("ready");
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final InetSocketAddress address;
    private final HttpEndpoints http;
    private final List<Member> members = new ArrayList<>();
    private HttpEndpoints.@Nullable Lease lease;
    private volatile boolean closed;

    // Both guarded by this.
    private String told = "";
    private RateLimit again = new RateLimit(1, AGAIN, System::nanoTime);

    private record Member(Block block, boolean continuously) {}

    /** Asks one plugin of one block, until it is ready or for ever. */
    private static final class Check {
        private final String plugin;
        private final Readiness state;
        private final boolean continuously;
        private volatile boolean seenReady;

        Check(String plugin, Readiness state, boolean continuously) {
            this.plugin = plugin;
            this.state = state;
            this.continuously = continuously;
        }

        boolean isReady() {
            if (seenReady && !continuously) {
                return true;
            }
            seenReady = state.isReady();
            return seenReady;
        }
    }

    ReadyEndpoint(InetSocketAddress address, HttpEndpoints http) {
        this.address = address;
        this.http = http;
    }

    /** Has the block's plugins counted in; for set-up. */
    void include(Block block, boolean continuously) {
        members.add(new Member(block, continuously));
    }

    void open() throws IOException {
        if (lease != null) {
            return;
        }
        List<Check> checks = new ArrayList<>();
        for (Member member : members) {
            member.block.readiness().forEach((plugin, state) -> checks.add(new Check(plugin, state, member.continuously)));
        }
        List<Check> all = List.copyOf(checks);
        lease = http.open(address, "/ready", _ -> reply(all));
    }

    private HttpReply reply(List<Check> checks) {
        if (closed) {
            return HttpReply.text(503, "Shutting down");
        }
        TreeSet<String> waiting = new TreeSet<>();
        for (Check check : checks) {
            if (!check.isReady()) {
                waiting.add(check.plugin);
            }
        }
        String names = String.join(",", waiting);
        tell(names);
        return names.isEmpty() ? HttpReply.text(200, "OK") : HttpReply.text(503, names);
    }

    /** Probes come each second or two: others that are not ready are told at once, the same now and then. */
    private synchronized void tell(String names) {
        if (!names.equals(told)) {
            told = names;
            again = new RateLimit(1, AGAIN, System::nanoTime);
        }
        String line = names.isEmpty() ? null : again.admit("Plugins not ready: \"" + names + "\"");
        if (line != null) {
            LOG.info(line);
        }
    }

    void close() {
        closed = true;
        if (lease != null) {
            lease.close();
        }
    }
}
