package dev.cairn.command;

import dev.cairn.plugin.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** What {@code -version} prints. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return BuildInfo.lines().toArray(String[]::new);
    }
}
