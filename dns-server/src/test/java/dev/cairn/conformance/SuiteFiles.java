package dev.cairn.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * Puts a suite on disk: its cluster as manifests, its zone file, and its Corefile made to run anywhere.
 *
 * @param source what stands in the block of {@code kubernetes} to say where the cluster is; null for the manifests
 * @param own whether the server is Cairn, which is told that there is nothing but what the manifests say
 */
record SuiteFiles(Suite suite, Path directory, @Nullable String source, boolean own) {
    private static final Pattern PORT = Pattern.compile("(?m)^(\\S+):53(?=\\s)");
    private static final Pattern BLOCK = Pattern.compile("(?m)^(\\s*kubernetes[^{\\n]*)\\{");
    private static final Pattern NO_BLOCK = Pattern.compile("(?m)^(\\s*kubernetes[^{\\n]*)$");
    private static final Pattern HTTP = Pattern.compile("(?m)^(\\s*)(health|ready)\\s*$");

    /**
     * Writes all files.
     *
     * @param port in place of 53
     * @param upstreamPort where the suite's upstream listens
     * @param silentPort where something listens that never says a word: the API server of a cluster that never gets known
     * @return the Corefile
     */
    String write(int port, int upstreamPort, int silentPort) throws IOException {
        Path manifests = Files.createDirectories(directory.resolve("manifests"));
        DumpSettings settings = DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).setExplicitStart(true).build();
        Files.writeString(manifests.resolve("cluster.yaml"), new Dump(settings).dumpAllToString(suite.objects().iterator()));
        Path zoneFile = Files.writeString(directory.resolve("Zonefile"), Facts.text(suite.source(), "zonefile"));
        String search = String.join(" ", Facts.strings(Facts.map(suite.source().get("autopath")).get("search"))).strip();
        Path resolvConf = Files.writeString(directory.resolve("resolv.conf"), search.isEmpty() ? "" : "search " + search + "\n");
        String cluster = suite.unsynced()
                ? "endpoint http://127.0.0.1:" + silentPort + "\n        startup_timeout 1s"
                : source != null ? source : "manifests " + manifests + (own ? "\n        noapiservice" : "");
        String corefile = suite.corefile()
                .replace("UPSTREAM", "127.0.0.1:" + upstreamPort)
                .replace("/etc/coredns/Zonefile", zoneFile.toString())
                .replace("autopath resolv.conf", "autopath " + resolvConf);
        corefile = PORT.matcher(corefile).replaceAll("$1:" + port);
        corefile = NO_BLOCK.matcher(corefile).replaceAll("$1 {\n    }");
        corefile = BLOCK.matcher(corefile).replaceAll("$1{\n        " + Matcher.quoteReplacement(cluster));
        return HTTP.matcher(corefile).replaceAll("$1$2 127.0.0.1:0");
    }
}
