package dev.cairn.command;

import dev.cairn.build.BuildInfo;
import dev.cairn.kernel.StartPages;
import dev.cairn.log.Log;
import dev.cairn.server.ConfigException;
import dev.cairn.server.Defect;
import dev.cairn.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves until a signal ends the process.
 *
 * @param command what lines for the user begin with
 * @param pidFile where the process id is written; null for nowhere
 * @param quiet whether to print nothing at the start
 */
public record ServerRun(String command, @Nullable Path pidFile, boolean quiet, Log.Format logFormat) {
    private static final Duration START = Duration.ofSeconds(10);

    /**
     * Starts the server, and returns when a signal has stopped it.
     *
     * @param started called once, when the server is in service
     * @throws CommandFailure if it does not start
     */
    public void run(Server server, Runnable started) {
        forgetPid();
        try {
            server.start();
        } catch (ConfigException e) {
            server.stop();
            throw new CommandFailure(Cairn.USAGE, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            server.stop();
            throw new CommandFailure(Cairn.FAILURE, command + ": " + e.getMessage());
        } catch (RuntimeException e) {
            server.stop();
            throw new CommandFailure(Cairn.FAILURE, command + ": did not start because of " + Defect.sentence(e));
        }
        writePid();
        Thread.ofPlatform().daemon().name("cairn-rest").start(ServerRun::settle);
        Signals signals = new Signals(server, pidFile);
        if (!quiet) {
            Consumer<String> banner = logFormat == Log.Format.JSON ? Log.server()::info : Log::raw;
            server.zoneLines().forEach(banner);
            banner.accept(String.join("\n", BuildInfo.lines("Cairn")));
            Log.server().info(server.summary());
        }
        started.run();
        signals.awaitStop();
    }

    /**
     * Sees to memory once the process has got to work: at first the heap grows with what is read, and a collection then would find next to nothing. The
     * thread ends when the server has come to rest; a virtual one would bring three others that stay.
     */
    private static void settle() {
        try {
            Thread.sleep(START);
            HeapKeeper.start();
            StartPages.leaveAtRest();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The file says that the server is up, also to probes, so one that a process of before has left says nothing. */
    private void forgetPid() {
        if (pidFile != null) {
            try {
                Files.deleteIfExists(pidFile);
            } catch (IOException e) {
                throw new CommandFailure(Cairn.FAILURE, command + ": cannot remove the old pid file " + pidFile + ": " + e.getMessage());
            }
        }
    }

    private void writePid() {
        if (pidFile != null) {
            try {
                Files.writeString(pidFile, ProcessHandle.current().pid() + "\n");
            } catch (IOException e) {
                throw new CommandFailure(Cairn.FAILURE, command + ": cannot write the pid file " + pidFile + ": " + e.getMessage());
            }
        }
    }
}
