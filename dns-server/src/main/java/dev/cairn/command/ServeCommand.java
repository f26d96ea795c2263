package dev.cairn.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cairn serve}: the same as the bare command, by its name. */
@Command(name = "serve", sortOptions = false, mixinStandardHelpOptions = true, usageHelpAutoWidth = true, description = "Serve a Corefile (what cairn does without a subcommand).")
final class ServeCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ServeOptions serve = new ServeOptions();

    @Override
    public void run() {
        serve.run(spec.commandLine().getOut());
    }
}
