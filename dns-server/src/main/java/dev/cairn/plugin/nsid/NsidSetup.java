package dev.cairn.plugin.nsid;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.HostName;
import dev.cairn.plugin.PluginSetup;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads {@code nsid}. */
public final class NsidSetup implements PluginSetup {
    /** Far more than any name needs, and small enough to leave room for an answer in the smallest reply. */
    private static final int MAX_LENGTH = 255;

    @Override
    public String name() {
        return "nsid";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        String text = use.count() == 0 ? HostName.get() : String.join(" ", use.args());
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        if (data.length > MAX_LENGTH) {
            use.error("the text has " + data.length + " bytes: write at most " + MAX_LENGTH + ", since each reply must have room for it");
        }
        block.add(new NsidPlugin(data));
    }
}
