package dev.cairn.bench;

import dev.cairn.bench.load.ClusterStore;
import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Figures;
import dev.cairn.bench.report.Results;
import dev.cairn.bench.report.Samples;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures cairn and cairn-proxy beside their peers, part by part, and writes a page with tables and plots. A part that fails says so, and the
 * others go on; what is known of parts that are not measured stays.
 */
public final class Bench {
    static final List<Part> PARTS = List.of(new UdpPart(), new LatencyPart(), new StartPart(), new EventPart(), new MemoryPart(), new ResolverPart(true),
            new ResolverPart(false), new TransportPart(), new OutagePart(), new GrowthPart(), new ProxyPart());

    private final Arguments arguments;
    private final PrintStream out;
    private final Path file;
    private final List<String> failed = new ArrayList<>();

    private Bench(Arguments arguments, PrintStream out) {
        this.arguments = arguments;
        this.out = out;
        file = arguments.out().resolve(Results.FIGURES);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, java.nio.charset.StandardCharsets.UTF_8);
        Arguments arguments;
        try {
            arguments = Arguments.parse(List.of(args), PARTS);
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(2);
            return;
        }
        if (arguments.help()) {
            out.print(help());
            return;
        }
        // Whatever ends this ends what it has started.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        System.exit(new Bench(arguments, out).run());
    }

    static String help() {
        Plan plan = Plan.whole();
        StringBuilder text = new StringBuilder(Arguments.USAGE).append("parts:\n");
        for (Part part : PARTS) {
            text.append(String.format("  %-11s %s (%s%s)%n", part.name(), part.chapter().title(), Progress.duration(part.seconds(plan)),
                    part.isLong() ? ", with --full" : ""));
        }
        return text.toString();
    }

    private int run() throws IOException, InterruptedException {
        List<Part> parts = PARTS.stream().filter(part -> arguments.parts().contains(part.name())).toList();
        Plan plan = arguments.quick() ? Plan.quick() : Plan.whole();
        Machine machine = new Machine(arguments.cairn());
        out.println(machine.text());
        Results.write(arguments.out(), Figures.read(file), chapters(), Aims.of(Figures.read(file)));
        // Files that were written only now, as those of an installation for this run, are held in memory in another way than they will be later.
        new ProcessBuilder("sync").start().waitFor();
        ClusterStore store = ClusterStore.usual(System.getenv());
        List<Integer> seconds = seconds(parts, plan, store.largest(Integer.MAX_VALUE));
        Progress progress = new Progress(out, System::nanoTime, parts.size(), seconds.stream().mapToInt(one -> one).sum());
        try (Run run = new Run(plan, progress, store, arguments.cairn(), arguments.proxy())) {
            for (int i = 0; i < parts.size(); i++) {
                Part part = parts.get(i);
                progress.part(part.name(), part.chapter().title(), seconds.get(i));
                measure(part, run, machine);
            }
        }
        out.printf("%n%s%n", failed.isEmpty() ? "all parts were measured" : "FAILED: " + String.join(", ", failed) + "; see above");
        out.println("results: " + arguments.out().resolve(Results.PAGE));
        return failed.isEmpty() ? 0 : 1;
    }

    /** About how long each part takes, with the services that are to be written for it and are not there yet. */
    static List<Integer> seconds(List<Part> parts, Plan plan, int kept) {
        List<Integer> all = new ArrayList<>();
        int there = kept;
        for (Part part : parts) {
            all.add(part.seconds(plan) + Run.writeSeconds(Math.max(0, part.services(plan) - there)));
            there = Math.max(there, part.services(plan));
        }
        return all;
    }

    /** What was measured until a failure is kept, with a word about it; where nothing was, what was known before stays. */
    private void measure(Part part, Run run, Machine machine) throws IOException, InterruptedException {
        Samples samples = new Samples(part.name());
        machine.describe(samples, run.plan(), Clock.systemUTC());
        try {
            part.measure(run, samples);
        } catch (IOException | RuntimeException e) {
            failed.add(part.name());
            out.printf("  FAILED: %s%n", e.getMessage() == null ? e : e.getMessage());
            samples.about("incomplete", "the run failed: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()));
        }
        if (!samples.isEmpty()) {
            Figures figures = Figures.read(file);
            figures.replace(samples.section());
            Results.write(arguments.out(), figures, chapters(), Aims.of(figures));
            out.print(Results.table(samples.section(), part.chapter().base()).indent(2));
        }
    }

    private static List<Chapter> chapters() {
        return PARTS.stream().map(Part::chapter).toList();
    }
}
