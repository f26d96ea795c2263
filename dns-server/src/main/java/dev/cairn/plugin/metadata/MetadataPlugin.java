package dev.cairn.plugin.metadata;

import dev.cairn.chain.Plugin;

/** Does nothing to queries; it is in the chain for {@code coredns_plugin_enabled} to tell. */
final class MetadataPlugin implements Plugin {
    @Override
    public String name() {
        return "metadata";
    }
}
