package dev.cairn.nodecache;

import dev.cairn.testing.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A name server in a process of its own, which takes its time for each answer, so that whoever forwards to it has queries in flight all the time. */
final class SlowUpstream implements AutoCloseable {
    static final String ADDRESS = "192.0.2.7";
    private static final int MILLISECONDS = 300;

    private final Process process;
    private final String port;

    /** Starts it by a command that becomes the process. */
    SlowUpstream(List<String> wrapper) throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m",
                "-cp", System.getProperty("java.class.path"), SlowUpstream.class.getName()));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        port = process.inputReader().readLine();
    }

    /** Where it is, as {@code forward} has it. */
    String address() {
        return "127.0.0.1:" + port;
    }

    /** The process: serves until it is ended. */
    public static void main(String[] args) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        ScriptedUpstream.Script answer = ScriptedUpstream.address(ADDRESS);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(asked -> never.await(MILLISECONDS, TimeUnit.MILLISECONDS) ? List.of() : answer.answer(asked))) {
            System.out.println(upstream.address().replaceFirst(".*:", ""));
            never.await();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
