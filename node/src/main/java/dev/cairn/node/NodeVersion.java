package dev.cairn.node;

import dev.cairn.build.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class NodeVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return BuildInfo.lines("cairn-node").toArray(String[]::new);
    }
}
