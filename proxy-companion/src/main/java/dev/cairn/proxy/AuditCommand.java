package dev.cairn.proxy;

import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-proxy audit}: whether the kernel has what it should. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Compare what is programmed with what should be, and change nothing. Exit code 1 if something of ours differs.")
final class AuditCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ProxyFlags flags = new ProxyFlags();

    @Option(names = {"-o", "--output"}, paramLabel = "text|json", defaultValue = "text", description = "The form (default: ${DEFAULT-VALUE}).")
    private String form = "text";

    @Override
    public Integer call() {
        if (!form.equals("text") && !form.equals("json")) {
            throw new CommandFailure(CairnProxy.USAGE, "-o " + form + " is unknown: write text or json");
        }
        ProxyConfig asked = flags.settings();
        ProxyConfig settings = flags.choose(asked).in(asked);
        Snapshot snapshot = Snapshot.take(flags, settings);
        Audit audit;
        try (Backend backend = Backends.make(settings.mode(), settings)) {
            audit = backend.audit(snapshot.desired());
        } catch (ApplyFailure e) {
            throw new CommandFailure(CairnProxy.FAILURE, String.valueOf(e.getMessage()));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (form.equals("json")) {
            out.println("{\"mode\":\"" + settings.mode() + "\",\"drift\":" + array(audit.drift())
                    + ",\"foreign\":" + array(audit.foreign()) + "}");
        } else {
            audit.drift().forEach(line -> out.println("drift: " + line));
            audit.foreign().forEach(line -> out.println("foreign: " + line));
            out.println(audit.drift().isEmpty() ? "all is programmed as it should be"
                    : "what drifted is repaired by a running cairn-proxy, or by --once");
        }
        out.flush();
        return audit.drift().isEmpty() ? 0 : CairnProxy.FAILURE;
    }

    private static String array(List<String> lines) {
        return lines.stream()
                .map(line -> "\"" + line.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(",", "[", "]"));
    }
}
