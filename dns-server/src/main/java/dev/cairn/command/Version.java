package dev.cairn.command;

import dev.cairn.plugin.BuildInfo;
import java.util.Locale;
import picocli.CommandLine.IVersionProvider;

/** What {@code -version} prints. */
final class Version implements IVersionProvider {
    /** The two lines CoreDNS prints too: name and version, then platform, runtime and commit. */
    @Override
    public String[] getVersion() {
        String runtime = "java" + Runtime.version().feature();
        return new String[] {"Cairn-" + BuildInfo.version(), platform() + ", " + runtime + ", " + BuildInfo.commit()};
    }

    private static String platform() {
        String arch = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "/" + (arch.equals("aarch64") ? "arm64" : arch);
    }
}
