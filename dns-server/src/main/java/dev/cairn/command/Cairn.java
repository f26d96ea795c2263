package dev.cairn.command;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code cairn} command: serves when no subcommand is named, and takes CoreDNS's flags as they are. */
@Command(
        name = "cairn",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {"A cluster DNS server that reads CoreDNS's Corefile.", ""},
        footer = {
            "",
            "Examples:",
            "  cairn -conf Corefile             serve what the Corefile says",
            "  cairn -conf Corefile -p 1053     the same, zones without a port on 1053",
            "  cairn --manifests DIR -p 1053    serve the cluster that manifests describe",
            "  cairn check Corefile             find mistakes without starting",
            "  cairn explain web --from shop/db-0 --manifests DIR   tell how a name is answered, and why",
            "",
            "Signals: TERM and INT stop gracefully, USR1 reloads the Corefile, QUIT leaves at once."
        },
        subcommands = {
            ServeCommand.class,
            NodeCacheCommand.class,
            CheckCommand.class,
            ExplainCommand.class,
            EnvCommand.class,
            PluginsCommand.class
        })
public final class Cairn implements Runnable {
    /** The configuration or the command line is wrong. */
    static final int USAGE = 2;

    /** The system refused something. */
    static final int FAILURE = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ServeOptions serve = new ServeOptions();

    @Option(names = {"-plugins", "--plugins"}, description = "List the plugins there are, and exit.")
    private boolean plugins;

    @Option(names = "-version", description = "Print the version, and exit.")
    private boolean version;

    private Cairn() {}

    public static void main(String[] args) {
        ServeOptions plain = ServeOptions.plain(args);
        int code = plain == null ? run(args) : serve(plain);
        if (code >= 0) {
            System.exit(code);
        }
    }

    private static int serve(ServeOptions options) {
        try {
            options.run();
            return 0;
        } catch (CommandFailure e) {
            return e.tell(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        }
    }

    /** Runs a command line and returns the exit code. */
    static int run(String... args) {
        try {
            return commandLine().execute(args);
        } catch (CommandLine.InitializationException e) {
            // A mistake in our annotations. To verify this, the JVM has to read a class of picocli's from its jar even for the AOT cache; see build.gradle.
            throw new IllegalStateException(e);
        }
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Cairn());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((e, _) -> {
            e.getCommandLine().getErr().println("cairn: " + e.getMessage() + "\nTry 'cairn --help'.");
            return USAGE;
        });
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            if (e instanceof CommandFailure failure) {
                return failure.tell(command.getErr());
            }
            throw e;
        });
        return line;
    }

    @Override
    public void run() {
        if (version) {
            spec.commandLine().printVersionHelp(spec.commandLine().getOut());
        } else if (plugins) {
            PluginsCommand.print(spec.commandLine().getOut());
        } else {
            serve.run();
        }
    }
}
