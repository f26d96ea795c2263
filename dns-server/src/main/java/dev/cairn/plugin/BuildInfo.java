package dev.cairn.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** What is running: the build writes version and commit into a resource. */
public final class BuildInfo {
    private static final Properties BUILD = new Properties();

    static {
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                BUILD.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties", e);
        }
    }

    private BuildInfo() {}

    public static String version() {
        return BUILD.getProperty("version", "unknown");
    }

    public static String commit() {
        return BUILD.getProperty("commit", "unknown");
    }

    /** The Java that runs it, {@code java25.0.1}: stands where CoreDNS tells its Go. */
    public static String runtime() {
        return "java" + Runtime.version().version().stream().map(String::valueOf).reduce((a, b) -> a + "." + b).orElse("");
    }

    /** The two lines that CoreDNS prints too: name and version, then platform, runtime and commit. */
    public static List<String> lines() {
        return List.of("Cairn-" + version(), platform() + ", java" + Runtime.version().feature() + ", " + commit());
    }

    private static String platform() {
        String arch = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "/" + (arch.equals("aarch64") ? "arm64" : arch);
    }
}
