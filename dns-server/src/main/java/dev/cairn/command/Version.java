package dev.cairn.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What is running: the build writes version and commit into a resource. */
final class Version implements IVersionProvider {
    private static final Properties BUILD = new Properties();

    static {
        try (InputStream in = Version.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                BUILD.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties", e);
        }
    }

    static String number() {
        return BUILD.getProperty("version", "unknown");
    }

    static String commit() {
        return BUILD.getProperty("commit", "unknown");
    }

    /** The two lines CoreDNS prints too: name and version, then platform, runtime and commit. */
    @Override
    public String[] getVersion() {
        return new String[] {"Cairn-" + number(), platform() + ", java" + Runtime.version().feature() + ", " + commit()};
    }

    private static String platform() {
        String arch = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "/" + (arch.equals("aarch64") ? "arm64" : arch);
    }
}
