package dev.cairn.bench;

import dev.cairn.bench.report.Aim;
import dev.cairn.bench.report.Figure;
import dev.cairn.bench.report.Figures;
import dev.cairn.bench.report.Numbers;
import dev.cairn.bench.server.Fleet;
import java.util.ArrayList;
import java.util.List;

/** What is to be reached, beside what was. */
final class Aims {
    private static final String LIVES = "lives in 170 MiB with 10,000 services while everything is listed again";

    private final Figures figures;
    private final List<Aim> all = new ArrayList<>();

    private Aims(Figures figures) {
        this.figures = figures;
    }

    static List<Aim> of(Figures figures) {
        Aims aims = new Aims(figures);
        aims.dns();
        aims.resolver();
        aims.proxy();
        return aims.all;
    }

    private void dns() {
        ratio("a cluster answer costs no more CPU time than Knot's", UdpPart.NAME, Flood.CPU, Fleet.KNOT, 1);
        ratio("a cluster answer costs at most a sixth of CoreDNS's", UdpPart.NAME, Flood.CPU, Fleet.COREDNS, 1.0 / 6);
        double rate = cairn(UdpPart.NAME, Flood.RATE) / figures.value(UdpPart.NAME, Flood.RATE, Fleet.COREDNS);
        add("at least six times CoreDNS's queries/s on one processor", -rate, -6, Numbers.text(rate) + " times");
        double one = cairn(UdpPart.NAME, Flood.CPU);
        double two = cairn(UdpPart.NAME, Flood.named(Flood.CPU, UdpPart.TWO));
        add("an answer on two processors costs at most 1.1 times what it does on one, so more of them give more", two / one, 1.1,
                Numbers.text(two / one) + " (" + Numbers.text(two) + " and " + Numbers.text(one) + " µs)");
        most("at most 60 MB at rest with a hosts file", MemoryPart.NAME, MemoryPart.HOSTS, 60, "MB");
        ratio("at rest with a hosts file at most 1.5 times CoreDNS's memory", MemoryPart.NAME, MemoryPart.HOSTS, Fleet.COREDNS, 1.5, "MB");
        most("at most 130 MB with 10,000 services and 100,000 endpoints", MemoryPart.NAME, MemoryPart.IDLE, 130, "MB");
        most("at most 145 MB while everything is listed again", MemoryPart.NAME, MemoryPart.PEAK, 145, "MB");
        double ready = cairn(MemoryPart.NAME, MemoryPart.READY);
        double peak = cairn(MemoryPart.NAME, MemoryPart.PEAK);
        add("listing everything again takes at most 1.1 times the memory after the first time", peak / ready, 1.1,
                Numbers.text(peak / ready) + " (" + Numbers.text(peak) + " of " + Numbers.text(ready) + " MB)");
        limit();
        most("first answer in 0.3 s", StartPart.NAME, StartPart.HOSTS, 0.3, "s");
        most("ready in 1.2 s with 10,000 services", StartPart.NAME, StartPart.CLUSTER, 1.2, "s");
        most("event to answer within 0.4 ms at the median", EventPart.NAME, EventPart.P50, 0.4, "ms");
        double tail = cairn(EventPart.NAME, EventPart.P99);
        add("event to answer within 1.5 ms at p99", tail, 1.5, Numbers.text(tail) + " ms; CoreDNS "
                + Numbers.text(figures.value(EventPart.NAME, EventPart.P99, Fleet.COREDNS)) + " ms; no server at all "
                + Numbers.text(figures.value(EventPart.NAME, EventPart.P99, EventPart.NO_SERVER)) + " ms");
        ratio("event to answer at p99 in at most 0.88 of CoreDNS's time", EventPart.NAME, EventPart.P99, Fleet.COREDNS, 0.88, "ms");
        for (String share : List.of(Latency.P50, Latency.P99, Latency.P999)) {
            noWorse(share.replaceFirst(",.*", "") + " at half of CoreDNS's peak no worse than CoreDNS's", LatencyPart.NAME, share, List.of(Fleet.COREDNS));
        }
        for (String transport : TransportPart.TRANSPORTS) {
            ratio("an answer over " + transport + " costs at most a quarter of CoreDNS's", TransportPart.NAME, Flood.named(Flood.CPU, transport),
                    Fleet.COREDNS, 0.25);
        }
    }

    /** A figure that is there means that the process lived. */
    private void limit() {
        figures.section(MemoryPart.NAME).flatMap(section -> section.figure(MemoryPart.LIMITED_PEAK, Fleet.CAIRN)).ifPresentOrElse(
                figure -> all.add(new Aim(LIVES, figure.text() + (figure.note().isEmpty() ? " MB at most" : ""),
                        figure.note().isEmpty() ? Aim.Verdict.MET : Aim.Verdict.MISSED)),
                () -> all.add(new Aim(LIVES, "", Aim.Verdict.MISSED)));
    }

    private void resolver() {
        ratio("a cached answer costs no more than Unbound's", ResolverPart.CACHED, Flood.CPU, Fleet.UNBOUND, 1);
        noWorse("p99 of cached answers no worse than either's", ResolverPart.CACHED, Latency.P99, List.of(Fleet.COREDNS, Fleet.UNBOUND));
        most("a forwarded answer costs at most 30 µs", ResolverPart.FORWARDED, Flood.CPU, 30, "µs");
        ratio("a forwarded answer costs at most half of CoreDNS's", ResolverPart.FORWARDED, Flood.CPU, Fleet.COREDNS, 0.5);
        noWorse("p99 of forwarded answers no worse than either's", ResolverPart.FORWARDED, Latency.P99, List.of(Fleet.COREDNS, Fleet.UNBOUND));
        most("10,000 cache entries take at most 10 MB", OutagePart.NAME, OutagePart.ENTRIES, 10, "MB");
        double before = cairn(OutagePart.NAME, OutagePart.BEFORE);
        double during = Math.max(cairn(OutagePart.NAME, OutagePart.DURING), cairn(OutagePart.NAME, OutagePart.AFTER));
        add("memory within 1.15 times of what it was while the upstream is away", during / before, 1.15,
                Numbers.text(during / before) + " (" + Numbers.text(during) + " of " + Numbers.text(before) + " MB)");
    }

    private void proxy() {
        proxyMost("9,000 services with ten endpoints each programmed in 2.5 s", ProxyPart.FIRST, 2.5, "s");
        double first = figures.value(ProxyPart.NAME, ProxyPart.FIRST, ProxyPart.OWN);
        double restart = figures.value(ProxyPart.NAME, ProxyPart.RESTART, ProxyPart.OWN);
        add("a restart of the proxy takes no longer than its first start", restart, first, worst(ProxyPart.NAME, ProxyPart.FIRST, ProxyPart.OWN),
                Numbers.text(restart) + " and " + Numbers.text(first) + " s");
        proxyMost("one service more within 50 ms", ProxyPart.ADDED_P50, 50, "ms");
        proxyMost("endpoint removed to traffic moved within 20 ms", ProxyPart.REMOVED_P50, 20, "ms");
        proxyMost("the proxy at rest in at most 130 MB", ProxyPart.IDLE, 130, "MB");
    }

    private double cairn(String part, String measure) {
        return figures.value(part, measure, Fleet.CAIRN);
    }

    /** The worst round of a server; not a number if it was not measured. */
    private double worst(String part, String measure, String server) {
        return figures.section(part).flatMap(section -> section.figure(measure, server)).map(Figure::most).orElse(Double.NaN);
    }

    private void add(String aim, double value, double most, String reached) {
        add(aim, value, most, most, reached);
    }

    /** @param worst what may be reached at most by the worst round of the server that it is compared with */
    private void add(String aim, double value, double most, double worst, String reached) {
        all.add(new Aim(aim, Double.isNaN(value) || Double.isNaN(most) ? "" : reached, Aim.Verdict.of(value, most, worst)));
    }

    private void most(String aim, String part, String measure, double most, String unit) {
        double value = cairn(part, measure);
        double other = figures.value(part, measure, Fleet.COREDNS);
        add(aim, value, most, Numbers.text(value) + " " + unit + (Double.isNaN(other) ? "" : "; CoreDNS " + Numbers.text(other) + " " + unit));
    }

    private void proxyMost(String aim, String measure, double most, String unit) {
        double value = figures.value(ProxyPart.NAME, measure, ProxyPart.OWN);
        double other = figures.value(ProxyPart.NAME, measure, ProxyPart.PEER);
        add(aim, value, most, Numbers.text(value) + " " + unit + (Double.isNaN(other) ? "" : "; kube-proxy " + Numbers.text(other) + " " + unit));
    }

    private void ratio(String aim, String part, String measure, String other, double most) {
        ratio(aim, part, measure, other, most, "µs");
    }

    private void ratio(String aim, String part, String measure, String other, double most, String unit) {
        double own = cairn(part, measure);
        double base = figures.value(part, measure, other);
        add(aim, own / base, most, most * worst(part, measure, other) / base,
                Numbers.text(own / base) + " (" + Numbers.text(own) + " and " + Numbers.text(base) + " " + unit + ")");
    }

    private void noWorse(String aim, String part, String share, List<String> others) {
        double own = cairn(part, share);
        double best = Double.POSITIVE_INFINITY;
        double worst = Double.POSITIVE_INFINITY;
        StringBuilder text = new StringBuilder(Numbers.text(own) + " ms");
        for (String other : others) {
            double value = figures.value(part, share, other);
            best = Double.isNaN(value) ? Double.NaN : Math.min(best, value);
            worst = Math.min(worst, worst(part, share, other));
            text.append("; ").append(other).append(' ').append(Numbers.text(value)).append(" ms");
        }
        add(aim, own, best, worst, text.toString());
    }
}
