package dev.cairn.command;

import dev.cairn.log.Log;
import dev.cairn.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import sun.misc.Signal;

/** What signals do to a running server; as CoreDNS has it. */
final class Signals {
    private static final Log LOG = Log.server();

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Server server;
    private final @Nullable Path pidFile;

    Signals(Server server, @Nullable Path pidFile) {
        this.server = server;
        this.pidFile = pidFile;
        Signal.handle(new Signal("TERM"), this::stop);
        Signal.handle(new Signal("INT"), this::stop);
        Signal.handle(new Signal("HUP"), _ -> LOG.info("SIGHUP: ignored; send SIGUSR1 to reload"));
        Signal.handle(new Signal("USR1"), _ -> Thread.ofPlatform().name("cairn-reload").start(server::reload));
        QuitSignal.exitAtOnce();
    }

    private void stop(Signal signal) {
        // A second signal means that the user does not want to wait.
        Signal.handle(signal, _ -> Runtime.getRuntime().halt(Cairn.FAILURE));
        LOG.info("SIG" + signal.getName() + ": Shutting down servers then terminating");
        server.stop();
        removePidFile();
        stopped.countDown();
    }

    private void removePidFile() {
        if (pidFile != null) {
            try {
                Files.deleteIfExists(pidFile);
            } catch (IOException e) {
                LOG.warning("cannot remove the pid file " + pidFile + ": " + e.getMessage());
            }
        }
    }

    /** Returns when the server has stopped. */
    void awaitStop() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
