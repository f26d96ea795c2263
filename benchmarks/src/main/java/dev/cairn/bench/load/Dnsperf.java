package dev.cairn.bench.load;

import dev.cairn.bench.server.Processors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** What a run of dnsperf, on the first processor unless told otherwise, tells. */
public record Dnsperf(long completed, long lost, long succeeded, double rate, String output) {
    private static final Pattern COMPLETED = Pattern.compile("Queries completed:\\s+([0-9]+)");
    private static final Pattern LOST = Pattern.compile("Queries lost:\\s+([0-9]+)");
    private static final Pattern SUCCEEDED = Pattern.compile("Response codes:.*NOERROR ([0-9]+)");
    private static final Pattern RATE = Pattern.compile("Queries per second:\\s+([0-9.]+)");

    /** After its time it may take so long to end; it has been seen to stand still when very many answers are missing. */
    private static final int PATIENCE_SECONDS = 20;

    /** As many queries as go, 400 at once, from one thread. */
    public static final List<String> FLOOD = List.of("-c", "4", "-q", "400");
    /** The same from two threads, for servers on two processors. */
    public static final List<String> FLOOD_OF_TWO = List.of("-c", "8", "-T", "2", "-q", "800");

    /** Runs over a file with a name and a type on each line. */
    public static Dnsperf run(int port, Path queries, int seconds, List<String> options) throws IOException, InterruptedException {
        return run(port, queries, seconds, options, Processors.FIRST);
    }

    public static Dnsperf run(int port, Path queries, int seconds, List<String> options, Processors processors)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("dnsperf", "-s", "127.0.0.1", "-p", Integer.toString(port),
                "-d", queries.toString(), "-l", Integer.toString(seconds), "-e", "-t", "2"));
        command.addAll(options);
        Process dnsperf = new ProcessBuilder(processors.before(command)).redirectErrorStream(true).start();
        CompletableFuture.delayedExecutor(seconds + PATIENCE_SECONDS, TimeUnit.SECONDS).execute(dnsperf::destroyForcibly);
        return result(dnsperf);
    }

    private static Dnsperf result(Process dnsperf) throws IOException, InterruptedException {
        String output = new String(dnsperf.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        dnsperf.waitFor();
        Matcher succeeded = SUCCEEDED.matcher(output);
        return new Dnsperf((long) number(COMPLETED, output), (long) number(LOST, output),
                succeeded.find() ? Long.parseLong(succeeded.group(1)) : 0, number(RATE, output), output);
    }

    /** Throws if an answer was an error: errors are cheap and quick, and would pass for a good figure. */
    public Dnsperf withoutErrors(String server) throws IOException {
        if (succeeded != completed) {
            throw new IOException(server + " answered " + (completed - succeeded) + " of " + completed + " queries with an error:\n"
                    + output.lines().filter(line -> line.contains("Response codes")).findFirst().orElse(""));
        }
        return this;
    }

    /** The latency in ms that so many of a hundred answers do not exceed; needs {@code -v}. A lost query counts as taking forever. */
    public double latencyMillis(double percent) {
        DoubleStream answered = output.lines().filter(line -> line.startsWith("> ") && !line.startsWith("> T "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
        double[] seconds = DoubleStream.concat(answered, DoubleStream.generate(() -> Double.POSITIVE_INFINITY).limit(lost)).toArray();
        Arrays.sort(seconds);
        return seconds.length == 0 ? Double.NaN : 1000 * seconds[Math.min(seconds.length - 1, (int) (seconds.length * percent / 100))];
    }

    private static double number(Pattern pattern, String output) throws IOException {
        Matcher matcher = pattern.matcher(output);
        if (!matcher.find()) {
            throw new IOException("dnsperf printed no " + pattern + ":\n" + output);
        }
        return Double.parseDouble(matcher.group(1));
    }
}
