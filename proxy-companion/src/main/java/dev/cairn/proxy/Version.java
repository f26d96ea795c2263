package dev.cairn.proxy;

import dev.cairn.build.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return BuildInfo.lines("cairn-proxy").toArray(String[]::new);
    }
}
