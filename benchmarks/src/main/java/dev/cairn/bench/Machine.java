package dev.cairn.bench;

import dev.cairn.bench.report.Samples;
import dev.cairn.e2e.Peers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When, where and with what something is measured. */
final class Machine {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final List<Pattern> VERSIONS =
            List.of(Pattern.compile("ersion[ :]+v?([0-9][0-9.]*[0-9])"), Pattern.compile("[-/ ]v?([0-9]+[.][0-9.]*[0-9])"));
    private static final int ANSWER_SECONDS = 20;

    private final String machine;
    private final String versions;

    Machine(Path cairn) throws IOException, InterruptedException {
        machine = Runtime.getRuntime().availableProcessors() + " processors (" + field("/proc/cpuinfo", "model name") + "), "
                + Long.parseLong(field("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "")) / 1024 / 1024 + " GB, Linux " + System.getProperty("os.version");
        String own = output(List.of(cairn.toString(), "-version"));
        versions = "cairn " + version(own) + commit(own)
                + ", CoreDNS " + version(output(List.of(Peers.find("coredns").toString(), "-version")))
                + ", Knot " + version(output(List.of("/usr/sbin/knotd", "--version")))
                + ", Unbound " + version(output(List.of("/usr/sbin/unbound", "-V")))
                + ", dnsperf " + version(output(List.of("dnsperf", "-h")))
                + ", h2load " + version(output(List.of("h2load", "--version")))
                + ", kube-apiserver " + version(output(List.of(Peers.find("kube-apiserver").toString(), "--version")))
                + ", etcd " + version(output(List.of(Peers.find("etcd").toString(), "--version")))
                + ", kube-proxy " + version(output(List.of(Peers.find("kube-proxy").toString(), "--version")));
    }

    /** Takes the load of the machine, too: figures of a busy one are worth less. */
    void describe(Samples samples, Plan plan, Clock clock) throws IOException {
        samples.about("measured", TIME.format(clock.instant()) + ", load average " + Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]
                + " before");
        samples.about("machine", machine);
        samples.about("versions", versions);
        samples.about("size", plan.text());
    }

    String text() {
        return machine + "; " + versions;
    }

    /** The commit that {@code -version} tells at the end. */
    private static String commit(String output) {
        String last = output.strip().substring(output.strip().lastIndexOf(' ') + 1);
        return last.matches("[0-9a-f]{7,40}(-dirty)?") ? " (" + last + ")" : "";
    }

    /** What stands after the word "version", if it is there. */
    static String version(String output) {
        for (Pattern pattern : VERSIONS) {
            Matcher matcher = pattern.matcher(output);
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        return "?";
    }

    private static String field(String file, String name) throws IOException {
        return Files.readAllLines(Path.of(file)).stream().filter(line -> line.startsWith(name)).findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse("0");
    }

    /** What a command prints; one that does not end is an error. */
    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " does not end");
        }
        return output;
    }
}
