package dev.cairn.proxy.userspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.proxy.conformance.Facts;
import dev.cairn.proxy.packets.PacketFlows;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The flows of iptables through a relay, which has to be a process on the node. Node ports are where they are with iptables; what differs
 * is that endpoints always see the node.
 */
abstract class RelayPackets extends PacketFlows {
    private final String gate;

    RelayPackets(String gate) {
        super("iptables");
        this.gate = gate;
    }

    @Override
    protected Backend backend(Testbed on) {
        return new Remote(on, gate);
    }

    @Override
    protected void program(Backend remote, Facts.Case one) {
        assertThat(((Remote) remote).ask("apply " + one.id())).as("what an audit finds afterwards").isEqualTo("ok []");
    }

    /** SCTP is refused in this mode. */
    @Override
    protected boolean carries(String protocol) {
        return !protocol.equals("sctp");
    }

    @Override
    protected boolean keepsSources() {
        return false;
    }

    /** The process; it is told names of cases, and makes plans of them itself. */
    private static final class Remote implements Backend {
        private final Process process;
        private final BufferedReader out;
        private final Writer in;

        Remote(Testbed testbed, String gate) {
            try {
                process = new ProcessBuilder(testbed.inside(Testbed.NODE, List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m",
                                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), RelayProcess.class.getName(), gate)))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            out = process.inputReader(StandardCharsets.UTF_8);
            in = process.outputWriter(StandardCharsets.UTF_8);
        }

        String ask(String line) {
            try {
                in.write(line + "\n");
                in.flush();
                return String.valueOf(out.readLine());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public List<String> cleanUp() {
            return List.of(ask("clear"));
        }

        @Override
        public void close() {
            try {
                in.close();
                if (!process.waitFor(30, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void apply(Desired desired, Set<ServiceName> changed) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String render(Desired desired) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Audit audit(Desired desired) {
            throw new UnsupportedOperationException();
        }
    }
}
