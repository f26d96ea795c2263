package dev.cairn.bench.load;

import dev.cairn.bench.server.Packets;
import dev.cairn.bench.server.Processors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a run of h2load, on the first processor, tells of DNS over HTTP/2. Dnsperf knows HTTP/2, too, but version 2.10 counted
 * few of the answers that a server sent together, here and with CoreDNS.
 */
public record H2load(long completed, double rate) {
    private static final Pattern RATE = Pattern.compile("finished in [^,]*, ([0-9.]+) req/s");
    private static final Pattern DONE = Pattern.compile("requests: .* ([0-9]+) done, ([0-9]+) succeeded");

    /** Writes the questions of a file that dnsperf reads as addresses on a port of the loopback. */
    public static Path addresses(Path queries, int port) throws IOException {
        Path file = queries.resolveSibling(queries.getFileName() + "-" + port);
        return Files.writeString(file, Files.readAllLines(queries).stream().map(line -> address(port, line.substring(0, line.indexOf(' '))))
                .collect(Collectors.joining("\n", "", "\n")));
    }

    private static String address(int port, String name) {
        return "https://127.0.0.1:" + port + "/dns-query?dns=" + Base64.getUrlEncoder().withoutPadding().encodeToString(Packets.query(0, name, 1));
    }

    /** As many as go: four connections with 25 streams each. */
    public static H2load run(Path addresses, int seconds) throws IOException, InterruptedException {
        List<String> command = List.of("h2load", "-t", "1", "-c", "4", "-m", "25", "-D", Integer.toString(seconds), "-i", addresses.toString());
        Process process = new ProcessBuilder(Processors.FIRST.before(command)).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return parse(output);
    }

    /** Anything but success is an error: errors are cheap and quick, and would pass for a good figure. */
    static H2load parse(String output) throws IOException {
        Matcher rate = RATE.matcher(output);
        Matcher done = DONE.matcher(output);
        if (!rate.find() || !done.find() || !done.group(1).equals(done.group(2))) {
            throw new IOException("h2load did not succeed:\n" + output);
        }
        return new H2load(Long.parseLong(done.group(1)), Double.parseDouble(rate.group(1)));
    }
}
