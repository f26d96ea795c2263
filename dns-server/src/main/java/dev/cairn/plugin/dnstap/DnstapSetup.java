package dev.cairn.plugin.dnstap;

import dev.cairn.corefile.Use;
import dev.cairn.metrics.Counter;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.BuildInfo;
import dev.cairn.plugin.HostName;
import dev.cairn.plugin.Outbox;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.dnstap.TapSettings.Target;
import dev.cairn.tls.ClientAuth;
import dev.cairn.tls.TlsFiles;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code dnstap}, which may be used several times. */
public final class DnstapSetup implements PluginSetup {
    /** How long the last messages may take at the end. */
    static final Duration GRACE = Duration.ofSeconds(2);

    private static final String USAGE = "dnstap [listen] SOCKET [full [WRITEBUFFER [QUEUE]]]";
    private static final String TLS_USAGE = "tls CERT KEY [CA]";
    private static final int MEBIBYTE = 1 << 20;
    private static final int QUEUE = 10_000;

    @Override
    public String name() {
        return "dnstap";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        for (Use use : uses) {
            TapSettings settings = read(use, block);
            if (settings != null) {
                add(settings, block);
            }
        }
    }

    private static void add(TapSettings settings, Block block) {
        Counter dropped = block.host().metrics()
                .counter("cairn_dnstap_dropped_messages_total", "Messages that were not sent to a dnstap sink, by sink.", "sink")
                .with(settings.target().toString());
        if (settings.listen()) {
            listen(settings, dropped, block);
        } else {
            connect(settings, dropped, block);
        }
    }

    private static void connect(TapSettings settings, Counter dropped, Block block) {
        TapSink sink = new TapSink(settings, dropped, block.host().scheduler());
        Outbox<byte[]> outbox = new Outbox<>("cairn-dnstap", settings.outboxSize(), sink, dropped);
        add(settings, outbox::offer, block);
        block.onStart(outbox::start);
        block.onStop(() -> {
            sink.giveUpWaiting();
            outbox.stop(GRACE);
        });
    }

    private static void listen(TapSettings settings, Counter dropped, Block block) {
        TapListeners listeners = block.host().process().get(TapListeners.class, TapListeners::new);
        TapListeners.Lease lease = listeners.new Lease(settings, dropped, block.host().scheduler());
        add(settings, lease, block);
        block.onStart(() -> {
            TlsFiles files = settings.tls();
            if (files != null) {
                files.load();
            }
            lease.open();
        });
        block.onStop(lease::close);
    }

    private static void add(TapSettings settings, TapOutlet outlet, Block block) {
        ExtraText extra = ExtraText.parse(settings.extra());
        block.add(new DnstapPlugin(settings, extra, outlet));
        block.onStart(() -> extra.bind(block::metadata));
    }

    private static @Nullable TapSettings read(Use use, Block block) {
        boolean listen = use.count() > 0 && use.arg(0).equals("listen");
        int at = listen ? 1 : 0;
        if (!use.expect(at + 1, at + 4, USAGE)) {
            return null;
        }
        Target target = Target.parse(use.arg(at), listen);
        if (target == null) {
            use.error("\"" + use.arg(at) + "\" is not a socket; write a path, unix://PATH, tcp://HOST:PORT or tls://HOST:PORT");
            return null;
        }
        boolean full = use.count() > at + 1;
        if (full && !use.arg(at + 1).equals("full")) {
            use.error("\"" + use.arg(at + 1) + "\" is not known here; write: " + USAGE);
        }
        int writeBuffer = use.intArg(at + 2, 1, 1024, 1) * MEBIBYTE;
        int queue = use.intArg(at + 3, 1, 4096, 1) * QUEUE;
        String identity = HostName.get();
        String version = "Cairn-" + BuildInfo.version();
        String extra = "";
        boolean skipVerify = false;
        Use tls = null;
        for (Use line : use.block()) {
            switch (line.name()) {
                case "identity" -> identity = word(line, identity);
                case "version" -> version = word(line, version);
                case "extra" -> extra = word(line, extra);
                case "skipverify" -> skipVerify = line.expect(0, 0, "skipverify");
                case "tls" -> tls = line;
                default -> line.unknown(List.of("identity", "version", "extra", "skipverify", "tls"));
            }
        }
        TlsFiles files = files(use, tls, listen && target instanceof Target.Network network && network.tls(), skipVerify, block);
        return new TapSettings(target, listen, full, writeBuffer, queue, identity, version, extra, skipVerify, files);
    }

    /** @param wanted whether collectors connect by TLS */
    private static @Nullable TlsFiles files(Use use, @Nullable Use tls, boolean wanted, boolean skipVerify, Block block) {
        if (tls == null) {
            if (wanted) {
                use.error("'listen' with tls:// needs a certificate; write in its block: " + TLS_USAGE);
            }
            return null;
        }
        if (!wanted) {
            tls.error("goes with 'dnstap listen tls://HOST:PORT'; remove it, or write tls:// for the socket");
            return null;
        }
        if (!tls.expect(2, 3, TLS_USAGE)) {
            return null;
        }
        boolean authorities = tls.count() > 2;
        ClientAuth required = skipVerify ? ClientAuth.VERIFY_IF_GIVEN : ClientAuth.REQUIRE_AND_VERIFY;
        return new TlsFiles(new TlsFiles.Names(block.file(tls.arg(0)), block.file(tls.arg(1)),
                authorities ? block.file(tls.arg(2)) : null, authorities ? required : ClientAuth.NOCERT));
    }

    private static String word(Use line, String fallback) {
        return line.expect(1, 1, line.name() + " TEXT") ? line.arg(0) : fallback;
    }
}
