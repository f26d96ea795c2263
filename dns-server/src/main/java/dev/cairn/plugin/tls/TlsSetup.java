package dev.cairn.plugin.tls;

import dev.cairn.corefile.Transport;
import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.tls.ClientAuth;
import dev.cairn.tls.TlsFiles;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Reads {@code tls}. */
public final class TlsSetup implements PluginSetup {
    private static final String USAGE = "tls CERT KEY [CA]";
    private static final Set<String> ACME = Set.of("acme", "email", "ca", "storage", "ca_root", "resolver");
    private static final Map<String, ClientAuth> CLIENT_AUTH = new HashMap<>();

    /** How often the files are looked at. */
    private static final int LOOK_SECONDS = 2;

    static {
        for (ClientAuth auth : ClientAuth.values()) {
            CLIENT_AUTH.put(auth.name().toLowerCase(Locale.ROOT), auth);
        }
    }

    @Override
    public String name() {
        return "tls";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        if (use.count() == 0 && use.block().stream().anyMatch(line -> ACME.contains(line.name()))) {
            use.error("certificates are not obtained by ACME here; let cert-manager or certbot write the files and name them: " + USAGE);
            return;
        }
        ClientAuth clientAuth = ClientAuth.NOCERT;
        for (Use line : use.block()) {
            clientAuth = read(line, clientAuth);
        }
        if (use.expect(2, 3, USAGE)) {
            if (block.keys().stream().allMatch(key -> key.transport() == Transport.DNS)) {
                use.warning("nothing in this block is encrypted; write keys such as tls://ZONE, https://ZONE or quic://ZONE, or remove it");
            }
            start(new TlsFiles(new TlsFiles.Names(
                    block.file(use.arg(0)), block.file(use.arg(1)), use.count() > 2 ? block.file(use.arg(2)) : null, clientAuth)), block);
        }
    }

    private static ClientAuth read(Use line, ClientAuth so) {
        switch (line.name()) {
            case "client_auth" -> {
                return line.expect(1, 1, "client_auth nocert|request|require|verify_if_given|require_and_verify")
                        ? line.choice(0, CLIENT_AUTH, so)
                        : so;
            }
            case "keylog" -> line.error("secrets of connections are not written to files here; remove the line");
            default -> line.unknown(List.of("client_auth"));
        }
        return so;
    }

    private static void start(TlsFiles files, Block block) {
        AtomicReference<@Nullable ScheduledFuture<?>> watch = new AtomicReference<>();
        block.listenSettings(block.listenSettings().withTls(files));
        block.onStart(() -> {
            files.load();
            watch.set(block.host().scheduler().scheduleWithFixedDelay(files::refresh, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS));
        });
        block.onStop(() -> {
            ScheduledFuture<?> running = watch.get();
            if (running != null) {
                running.cancel(false);
            }
        });
    }
}
