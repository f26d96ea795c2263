package dev.cairn.plugin.timeouts;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.plugin.PluginSetup;
import java.time.Duration;
import java.util.List;

/** Reads {@code timeouts}. */
public final class TimeoutsSetup implements PluginSetup {
    private static final Duration MIN = Duration.ofSeconds(1);
    private static final Duration MAX = Duration.ofHours(24);
    private static final List<String> PROPERTIES = List.of("read", "write", "idle", "maxtcpqueries");

    @Override
    public String name() {
        return "timeouts";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        ListenSettings settings = block.listenSettings();
        for (Use use : uses) {
            use.expect(0, 0, "timeouts { ... }");
            if (use.block().isEmpty()) {
                use.error("names no timeout: write one or more of read, write, idle, maxtcpqueries in its block, or remove it");
            }
            for (Use line : use.block()) {
                settings = read(line, settings);
            }
        }
        block.listenSettings(settings);
    }

    private static ListenSettings read(Use line, ListenSettings so) {
        return switch (line.name()) {
            case "read" -> so.withTimeouts(duration(line, so.readTimeout()), so.writeTimeout(), so.idleTimeout());
            case "write" -> so.withTimeouts(so.readTimeout(), duration(line, so.writeTimeout()), so.idleTimeout());
            case "idle" -> so.withTimeouts(so.readTimeout(), so.writeTimeout(), duration(line, so.idleTimeout()));
            case "maxtcpqueries" -> so.withMaxTcpQueries(queries(line, so.maxTcpQueries()));
            default -> {
                line.unknown(PROPERTIES);
                yield so;
            }
        };
    }

    private static Duration duration(Use line, Duration fallback) {
        return line.expect(1, 1, line.name() + " DURATION") ? line.secondsArg(0, MIN, MAX, fallback) : fallback;
    }

    private static int queries(Use line, int fallback) {
        if (!line.expect(1, 1, "maxtcpqueries MAXIMUM")) {
            return fallback;
        }
        return line.arg(0).equals("-1") ? -1 : line.intArg(0, 1, Integer.MAX_VALUE, fallback);
    }
}
