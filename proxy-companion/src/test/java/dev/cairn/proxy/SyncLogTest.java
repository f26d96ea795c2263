package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.log.Log;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.SyncObserver.Applied;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SyncLogTest {
    private final AtomicLong clock = new AtomicLong();
    private final SyncLog log = new SyncLog(ProxyMode.NFTABLES, () -> "API server https://10.0.0.1:6443", clock::get);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private PrintStream before;

    @BeforeEach
    void redirect() {
        before = Log.redirect(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        Log.redirect(before);
    }

    private List<String> written() {
        Log.flush();
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        out.reset();
        return lines;
    }

    private void applied(boolean success, int changed) {
        Set<ServiceName> names = IntStream.range(0, changed).mapToObj(i -> new ServiceName("ns", "s" + i)).collect(Collectors.toSet());
        Applied what = new Applied(success, false, true, Duration.ofMillis(12).toNanos(), 345, names, List.of());
        ServicePlan plan = new ServicePlan(new ServiceName("ns", "s"), List.of(), 0, 0, "");
        log.applied(what, Collections.nCopies(1000, plan), List.of(AddressRange.parse("10.96.0.0/12")));
    }

    @Test
    void the_first_sync_is_told_with_its_size_and_later_small_ones_are_not() {
        applied(true, 1);
        applied(true, 99);
        assertThat(written()).containsExactly(
                "[INFO] synced 1000 services with 0 endpoints from API server https://10.0.0.1:6443 in 12 ms, by 345 changes to nftables; "
                        + "service ranges 10.96.0.0/12");
    }

    @Test
    void a_sync_after_failures_is_told() {
        applied(false, 1);
        applied(true, 1);
        applied(false, 1);
        applied(false, 1);
        applied(true, 1);
        applied(true, 1);
        assertThat(written()).containsExactly(
                "[INFO] synced 1000 services with 0 endpoints from API server https://10.0.0.1:6443 after 1 failure in 12 ms, by 345 changes to nftables; "
                        + "service ranges 10.96.0.0/12",
                "[INFO] synced 1000 services with 0 endpoints after 2 failures in 12 ms, by 345 changes to nftables");
    }

    @Test
    void large_changes_are_told_now_and_then() {
        applied(true, 1000);
        written();
        String line = "[INFO] synced 100 changed services in 12 ms, by 345 changes to nftables; now 1000 services with 0 endpoints";
        for (int i = 0; i < 10; i++) {
            applied(true, 100);
        }
        assertThat(written()).containsExactly(line, line, line);
        clock.addAndGet(Duration.ofMinutes(1).toNanos());
        applied(true, 100);
        assertThat(written()).containsExactly(line + " (and 7 times more since the last such line)");
    }

    @Test
    void what_others_change_all_the_time_is_told_now_and_then() {
        Audit drift = new Audit(List.of("a", "b", "c", "d", "e", "f", "g"), List.of("theirs"));
        int told = 0;
        for (int i = 0; i < 100; i++) {
            told += log.audited(drift) == null ? 0 : 1;
        }
        assertThat(told).isEqualTo(5);
        assertThat(log.audited(Audit.CLEAN)).isNull();
        List<String> lines = written();
        assertThat(lines).hasSize(6).startsWith("[WARNING] not ours and left alone: theirs",
                "[WARNING] somebody changed what was programmed, repairing it: a; b; c; d; e; and 2 more");
    }

    @Test
    void warnings_about_services_are_limited() {
        Consumer<String> warnings = SyncLog.limited(clock::get);
        for (int i = 0; i < 1000; i++) {
            warnings.accept("service " + i);
        }
        assertThat(written()).hasSize(50).startsWith("[WARNING] service 0", "[WARNING] service 1");
    }
}
