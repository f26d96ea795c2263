package dev.cairn.bench;

import dev.cairn.bench.load.BigCluster;
import dev.cairn.bench.report.Figure;
import dev.cairn.bench.report.LineChart;
import dev.cairn.bench.report.Numbers;
import dev.cairn.bench.report.Section;
import dev.cairn.bench.report.Slope;
import dev.cairn.bench.server.Fleet;
import java.util.List;

/** What bounds larger clusters than were measured, by the slopes of those that were: an estimate, and said to be one. */
final class Outlook {
    static final String BARE_SERVICES = "services without endpoints";

    private static final int SERVICES = 100_000;
    private static final int NODES = 5000;
    /** The most that Kubernetes supports in a cluster of that many nodes. */
    private static final int PODS = 150_000;
    private static final int HOUR = 3600;
    private static final double BYTES_PER_MEGABYTE = 1 << 20;
    /** Of kubeadm's Deployment, in MiB. */
    private static final int LIMIT = 170;
    private static final double MICROS = 1e6;

    private Outlook() {}

    /** A line for each server; nothing without at least two sizes. */
    static String text(Section section) {
        StringBuilder text = new StringBuilder("What that means for larger clusters, by straight lines through these points (an estimate, not a measurement):\n");
        boolean any = false;
        for (String server : Fleet.BOTH) {
            List<LineChart.Point> memory = points(section, GrowthPart.MEMORY, server);
            if (memory.size() >= 2) {
                any = true;
                text.append("\n- **").append(server).append("**: ").append(memory(section, server, Slope.fit(memory)))
                        .append(ready(points(section, GrowthPart.READY, server))).append(event(points(section, EventPart.CPU, server)));
            }
        }
        return any ? text.toString() : "";
    }

    private static List<LineChart.Point> points(Section section, String measure, String server) {
        return section.figures().stream().filter(one -> one.measure().equals(measure) && one.server().equals(server) && Double.isFinite(one.value()))
                .map(one -> new LineChart.Point(one.at(), one.value())).toList();
    }

    private static String memory(Section section, String server, Slope slope) {
        double bytes = slope.perUnit() * BYTES_PER_MEGABYTE;
        String whole = Numbers.text(slope.start()) + " MB and " + Numbers.text(Math.rint(bytes)) + " bytes for each service with its "
                + BigCluster.ENDPOINTS + " endpoints" + apart(section, server, bytes);
        return whole + "; that would be " + Numbers.text(Math.rint(slope.at(SERVICES))) + " MB for " + Numbers.text(SERVICES) + " services with "
                + Numbers.text((double) SERVICES * BigCluster.ENDPOINTS) + " endpoints, and "
                + Numbers.text(Math.rint(slope.at((double) PODS / BigCluster.ENDPOINTS))) + " MB for " + Numbers.text(NODES) + " nodes with "
                + Numbers.text(PODS) + " pods, each in one service of ten." + limit(slope);
    }

    /** How many services fit where most servers run. */
    private static String limit(Slope slope) {
        double services = (LIMIT - slope.start()) / slope.perUnit();
        return services <= 0 || !Double.isFinite(services) ? ""
                : " The " + LIMIT + " MiB of kubeadm's Deployment are full with " + Numbers.text(1000 * Math.rint(services / 1000)) + " services at rest.";
    }

    private static String ready(List<LineChart.Point> seconds) {
        if (seconds.size() < 2) {
            return "";
        }
        Slope slope = Slope.fit(seconds);
        return " A start takes " + Numbers.text(slope.perUnit() * 1000) + " s for each thousand services, so " + Numbers.text(slope.at(SERVICES)) + " s with "
                + Numbers.text(SERVICES) + ".";
    }

    /** The memory of a service and of an endpoint, if services without endpoints were measured. */
    private static String apart(Section section, String server, double bytes) {
        String count = section.about().getOrDefault(BARE_SERVICES, "");
        long last = section.sizes().getLast();
        double before = section.figure(GrowthPart.MEMORY, server, last).map(Figure::value).orElse(Double.NaN);
        double after = section.figure(GrowthPart.BARE, server, last).map(Figure::value).orElse(Double.NaN);
        if (count.isEmpty() || Double.isNaN(after - before)) {
            return "";
        }
        double service = (after - before) * BYTES_PER_MEGABYTE / Integer.parseInt(count);
        return " (" + Numbers.text(Math.rint(service)) + " for the service, " + Numbers.text(Math.rint((bytes - service) / BigCluster.ENDPOINTS))
                + " for each endpoint)";
    }

    private static String event(List<LineChart.Point> cpu) {
        if (cpu.size() < 2) {
            return "";
        }
        Slope slope = Slope.fit(cpu);
        double large = Math.max(0, slope.at(SERVICES));
        // A pod that is replaced changes its slice twice: it leaves, and another comes.
        double share = 2.0 * PODS / HOUR * large / MICROS;
        return " An event costs " + Numbers.text(Math.rint(slope.at(0))) + " µs of CPU and " + Numbers.text(slope.perUnit() * 1000)
                + " µs more for each thousand services, so " + Numbers.text(Math.rint(large)) + " µs with " + Numbers.text(SERVICES)
                + ": if all " + Numbers.text(PODS) + " pods are replaced within an hour, that is " + Numbers.text(100 * share) + " per cent of one processor, and "
                + Numbers.text(Math.rint(MICROS / large)) + " events a second are the most that one processor takes.";
    }
}
