package dev.cairn.explain;

import dev.cairn.explain.Explanation.Try;
import dev.cairn.facts.Address;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.ServiceFact;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;

/** What {@code cairn-proxy trace} says of connections to the addresses of an answer. */
public final class ProxyTrace {
    private static final String NAME = "cairn-proxy";
    private static final String ANY_POD = "POD_ADDRESS";
    private static final long PATIENCE_SECONDS = 60;

    private final ClusterFacts facts;
    private final Question question;
    private final @Nullable Path launcher;

    /**
     * One connection.
     *
     * @param to address, port and protocol
     * @param command what to run
     * @param output what it printed; empty if it was not run
     * @param exitCode null if it was not run
     */
    record Walk(String to, String command, List<String> output, @Nullable Integer exitCode) {
        Walk {
            output = List.copyOf(output);
        }
    }

    /** @param launcher what to run it by; null to leave that to the user */
    ProxyTrace(ClusterFacts facts, Question question, @Nullable Path launcher) {
        this.facts = facts;
        this.question = question;
        this.launcher = launcher;
    }

    /** The launcher that stands beside the running program, or on the path; null if there is none. */
    public static @Nullable Path launcher(@Nullable String path) {
        Path self = Path.of(ProxyTrace.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        Stream<String> onPath = Stream.of((path == null ? "" : path).split(File.pathSeparator)).filter(one -> !one.isEmpty());
        return Stream.concat(Stream.of(self.resolveSibling("../bin/" + NAME).normalize()), onPath.map(one -> Path.of(one, NAME)))
                .filter(one -> Files.isRegularFile(one) && Files.isExecutable(one))
                .findFirst()
                .orElse(null);
    }

    /** Follows connections from the client to each virtual address and port of the answer. */
    List<Walk> of(Try answered, Client client) {
        Set<String> places = new LinkedHashSet<>();
        for (Record record : answered.reply().records()) {
            if (record instanceof SRVRecord srv) {
                answered.reply().additional().stream()
                        .filter(one -> one.getName().equals(srv.getTarget()))
                        .forEach(one -> addPorts(places, one, srv.getPort()));
            } else {
                addPorts(places, record, 0);
            }
        }
        return places.stream().map(place -> walk(place, client)).toList();
    }

    /** @param only the port that counts, 0 for all of the service */
    private void addPorts(Set<String> places, Record record, int only) {
        Address address = record instanceof ARecord a ? Address.of(a.getAddress().getAddress())
                : record instanceof AAAARecord aaaa ? Address.of(aaaa.getAddress().getAddress()) : null;
        List<ServiceFact> services =
                address == null ? List.of() : facts.services().filter(service -> service.clusterIps().contains(address)).toList();
        for (ServiceFact service : services) {
            for (PortFact port : service.ports()) {
                if (only == 0 || only == port.port()) {
                    String host = String.valueOf(address);
                    places.add((host.contains(":") ? "[" + host + "]" : host) + ":" + port.port() + "/"
                            + port.protocol().name().toLowerCase(Locale.ROOT));
                }
            }
        }
    }

    private Walk walk(String place, Client client) {
        String from = client.address() == null ? ANY_POD : client.address().toString();
        List<String> words = new ArrayList<>(List.of(NAME, "trace", "--from", from, "--to", place));
        if (!question.manifests().isEmpty()) {
            words.addAll(List.of("--manifests", question.manifests().stream().map(Path::toString).collect(Collectors.joining(","))));
        } else if (question.kubeconfig() != null) {
            words.addAll(List.of("--kubeconfig", question.kubeconfig().toString()));
        }
        String command = words.stream().map(ProxyTrace::quoted).collect(Collectors.joining(" "));
        if (launcher == null || client.address() == null) {
            return new Walk(place, command, List.of(), null);
        }
        words.set(0, launcher.toString());
        return run(place, command, words);
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:@%+=,\\[\\]-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static Walk run(String place, String command, List<String> words) {
        try {
            Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            AtomicBoolean late = new AtomicBoolean();
            CompletableFuture<?> watch = process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).exceptionally(_ -> {
                late.set(true);
                process.toHandle().destroyForcibly();   // unlike process.destroyForcibly() this leaves its output open
                return process;
            });
            List<String> output = process.inputReader(StandardCharsets.UTF_8).readAllLines();
            watch.join();
            int code = process.waitFor();
            return late.get()
                    ? new Walk(place, command, List.of("did not end within " + PATIENCE_SECONDS + " s"), -1)
                    : new Walk(place, command, output, code);
        } catch (IOException e) {
            return new Walk(place, command, List.of("cannot be run: " + e.getMessage()), -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Walk(place, command, List.of("interrupted"), -1);
        }
    }
}
