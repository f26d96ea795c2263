package dev.cairn.command;

import dev.cairn.build.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** What {@code -version} prints. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return BuildInfo.lines("Cairn").toArray(String[]::new);
    }
}
