package dev.cairn.command;

import dev.cairn.plugin.PluginSetup;
import dev.cairn.server.PluginList;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cairn plugins}: what a Corefile may name. */
@Command(name = "plugins", mixinStandardHelpOptions = true, usageHelpAutoWidth = true, description = "List the plugins, in the order in which a query meets them.")
final class PluginsCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        print(spec.commandLine().getOut());
    }

    static void print(PrintWriter out) {
        PluginList.inOrder().stream().map(PluginSetup::name).forEach(out::println);
        out.flush();
    }
}
