package dev.cairn.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn serve}: the same as the bare command, by its name. */
@Command(name = "serve", sortOptions = false, mixinStandardHelpOptions = true, usageHelpAutoWidth = true, description = "Serve a Corefile (what cairn does without a subcommand).")
final class ServeCommand implements Runnable {
    @Mixin
    private ServeOptions serve = new ServeOptions();

    @Override
    public void run() {
        serve.run();
    }
}
