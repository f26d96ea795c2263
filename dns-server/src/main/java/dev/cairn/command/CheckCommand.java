package dev.cairn.command;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code cairn check}: finds mistakes in Corefiles without starting anything. */
@Command(name = "check", mixinStandardHelpOptions = true, usageHelpAutoWidth = true, description = "Check Corefiles without starting: errors, and warnings for what is surely not meant.")
final class CheckCommand implements Runnable {
    @Parameters(paramLabel = "FILE", description = "The Corefiles to check (default: ./Corefile).")
    private List<Path> files = List.of();

    @Override
    public void run() {
        throw new CommandFailure(Cairn.FAILURE, files.toString());
    }
}
