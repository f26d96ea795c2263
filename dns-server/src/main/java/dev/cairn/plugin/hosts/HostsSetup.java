package dev.cairn.plugin.hosts;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.wire.WireName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code hosts}. */
public final class HostsSetup implements PluginSetup {
    private static final List<String> PROPERTIES =
            List.of("fallthrough", "fallthrough_unsupported", "no_reverse", "reload", "ttl");
    private static final int DEFAULT_TTL = 3600;
    private static final int MAX_TTL = 65535;
    private static final Duration DEFAULT_RELOAD = Duration.ofSeconds(5);
    private static final Duration MAX_RELOAD = Duration.ofDays(365);

    @Override
    public String name() {
        return "hosts";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        HostsSettings settings = new Reader(uses.getFirst(), block).read();
        HostsSource source = new HostsSource(settings, block.host());
        block.onStart(source::start);
        block.onStop(source::stop);
        block.add(new HostsPlugin(settings, source));
    }

    /** Reads one directive, line by line. */
    private static final class Reader {
        private final Use use;
        private final Block block;
        private final List<String> inline = new ArrayList<>();
        private int ttl = DEFAULT_TTL;
        private Duration reload = DEFAULT_RELOAD;
        private boolean reverse = true;
        private List<WireName> through = List.of();
        private boolean unsupportedThrough;

        Reader(Use use, Block block) {
            this.use = use;
            this.block = block;
        }

        HostsSettings read() {
            use.block().forEach(this::property);
            if (unsupportedThrough && through.isEmpty()) {
                use.error("fallthrough_unsupported requires fallthrough: add a line with it");
            }
            Path file = use.count() == 0 ? Path.of("/etc/hosts") : block.file(use.arg(0));
            return new HostsSettings(file, block.zonesOr(use.zones(1)), inline, ttl, reload, reverse, through, unsupportedThrough);
        }

        private void property(Use line) {
            switch (line.name()) {
                case "fallthrough" ->
                    through = line.count() == 0 ? List.of(WireName.ROOT) : line.zones(0).stream().map(WireName::parse).toList();
                case "fallthrough_unsupported" -> unsupportedThrough = line.expect(0, 0, "fallthrough_unsupported");
                case "no_reverse" -> reverse = !line.expect(0, 0, "no_reverse");
                case "ttl" -> {
                    if (line.expect(1, 1, "ttl SECONDS")) {
                        ttl = line.intArg(0, 1, MAX_TTL, DEFAULT_TTL);
                    }
                }
                case "reload" -> {
                    if (line.expect(1, 1, "reload DURATION (0 to read the file only once)")) {
                        reload = line.durationArg(0, Duration.ZERO, MAX_RELOAD, DEFAULT_RELOAD);
                    }
                }
                default -> entry(line);
            }
        }

        private void entry(Use line) {
            byte[] address = line.name().getBytes(StandardCharsets.UTF_8);
            if (HostsParser.address(address, address.length) == null) {
                notAnAddress(line);
                return;
            }
            for (String name : line.args()) {
                try {
                    WireName.parse(name);
                } catch (IllegalArgumentException e) {
                    line.error(e.getMessage() + ": write a line as ADDRESS NAME...");
                }
            }
            inline.add(line.name() + " " + String.join(" ", line.args()));
        }

        /** CoreDNS ignores such lines as it does in the file, but refuses them below {@code fallthrough}. */
        private void notAnAddress(Use line) {
            if (through.isEmpty()) {
                line.warning("is neither an address nor one of " + String.join(", ", PROPERTIES) + ", and so is ignored: remove it");
            } else {
                line.unknown(PROPERTIES);
            }
        }
    }
}
