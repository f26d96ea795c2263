package dev.cairn.plugin.dnstap;

import dev.cairn.build.BuildInfo;
import dev.cairn.corefile.Use;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.HostName;
import dev.cairn.plugin.Outbox;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.dnstap.TapSettings.Target;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code dnstap}, which may be used several times. */
public final class DnstapSetup implements PluginSetup {
    private static final String USAGE = "dnstap SOCKET [full [WRITEBUFFER [QUEUE]]]";
    private static final int MEBIBYTE = 1 << 20;
    private static final int QUEUE = 10_000;
    private static final int BATCH = 512;

    /** How long the last messages may take at the end. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "dnstap";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        for (Use use : uses) {
            TapSettings settings = read(use);
            if (settings != null) {
                add(settings, block);
            }
        }
    }

    private static void add(TapSettings settings, Block block) {
        Counter dropped = block.host().metrics()
                .counter("cairn_dnstap_dropped_messages_total", "Messages that were not sent to a dnstap sink, by sink.", "sink")
                .with(settings.target().toString());
        TapSink sink = new TapSink(settings, dropped, block.host().scheduler());
        Outbox<byte[]> outbox = new Outbox<>("cairn-dnstap", new Outbox.Size(settings.queue(), BATCH, Duration.ZERO), sink, dropped);
        ExtraText extra = ExtraText.parse(settings.extra());
        block.add(new DnstapPlugin(settings, extra, outbox));
        block.onStart(() -> {
            extra.bind(block::metadata);
            outbox.start();
        });
        block.onStop(() -> {
            sink.giveUpWaiting();
            outbox.stop(GRACE);
        });
    }

    private static @Nullable TapSettings read(Use use) {
        if (use.count() > 0 && use.arg(0).equals("listen")) {
            use.error("'listen' is not offered: name the socket that the receiving program listens on; write: " + USAGE);
            return null;
        }
        if (!use.expect(1, 4, USAGE)) {
            return null;
        }
        Target target = Target.parse(use.arg(0));
        if (target == null) {
            use.error("\"" + use.arg(0) + "\" is not a socket; write a path, unix://PATH, tcp://HOST:PORT or tls://HOST:PORT");
            return null;
        }
        if (use.count() > 1 && !use.arg(1).equals("full")) {
            use.error("\"" + use.arg(1) + "\" is not known here; write: " + USAGE);
        }
        int writeBuffer = use.intArg(2, 1, 1024, 1) * MEBIBYTE;
        int queue = use.intArg(3, 1, 4096, 1) * QUEUE;
        String identity = HostName.get();
        String version = "Cairn-" + BuildInfo.version();
        String extra = "";
        boolean skipVerify = false;
        for (Use line : use.block()) {
            switch (line.name()) {
                case "identity" -> identity = word(line, identity);
                case "version" -> version = word(line, version);
                case "extra" -> extra = word(line, extra);
                case "skipverify" -> skipVerify = line.expect(0, 0, "skipverify");
                case "tls" -> line.error("'tls' goes with 'listen', which is not offered; remove it, and write tls://HOST:PORT for the socket");
                default -> line.unknown(List.of("identity", "version", "extra", "skipverify"));
            }
        }
        return new TapSettings(target, use.count() > 1, writeBuffer, queue, identity, version, extra, skipVerify);
    }

    private static String word(Use line, String fallback) {
        return line.expect(1, 1, line.name() + " TEXT") ? line.arg(0) : fallback;
    }
}
