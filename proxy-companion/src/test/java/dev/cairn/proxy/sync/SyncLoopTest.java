package dev.cairn.proxy.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.NodeFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.TrafficOptions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SyncLoopTest {
    private static final TrafficOptions OPTIONS =
            new TrafficOptions(false, LocalDetector.none(), NodePortAddresses.PRIMARY, List.of(), true, false);

    private final Recorder recorder = new Recorder();
    private final SyncLoop loop = new SyncLoop(
            new ClusterModel(new NodeView("n", "", List.of(), List.of(), List.of()), _ -> {}), recorder, _ -> OPTIONS, SyncObserver.NONE,
            System::nanoTime);
    private final Thread thread = Thread.ofPlatform().start(loop);

    @AfterEach
    void stop() throws InterruptedException {
        loop.close();
        thread.join();
    }

    private static ServiceFact service(String name, int last) {
        return new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, List.of(Objects.requireNonNull(Address.parse("10.96.0." + last))),
                List.of(new PortFact("", Protocol.TCP, 80)), "", List.of(), List.of(), List.of());
    }

    private void sync() {
        loop.synced(Resource.SERVICES);
        loop.synced(Resource.SLICES);
        loop.synced(Resource.NODES);
    }

    @Test
    void nothing_is_programmed_before_services_and_slices_are_known() {
        loop.put(service("a", 1));
        loop.synced(Resource.SERVICES);
        assertThat(loop.isSynced()).isFalse();
        assertThat(recorder.calls).isEmpty();
        loop.synced(Resource.SLICES);
        loop.synced(Resource.NODES);
        await().untilAsserted(() -> assertThat(recorder.calls).containsExactly(Set.of(new ServiceName("ns", "a"))));
    }

    @Test
    void what_is_programmed_first_is_what_the_node_object_says() {
        loop.synced(Resource.SERVICES);
        loop.synced(Resource.SLICES);
        assertThat(recorder.calls).isEmpty();
        loop.put(new NodeFact("n", "zone-1", List.of(), List.of(), false));
        loop.synced(Resource.NODES);
        await().until(() -> !recorder.zones.isEmpty());
        assertThat(recorder.zones.getFirst()).isEqualTo("zone-1");
    }

    @Test
    void a_node_that_is_not_told_is_not_waited_for_without_end() {
        try (Manual manual = new Manual(recorder)) {
            manual.loop.synced(Resource.SERVICES);
            manual.loop.synced(Resource.SLICES);
            manual.clock.addAndGet(TimeUnit.SECONDS.toNanos(9));
            manual.loop.put(service("a", 1));
            assertThat(recorder.calls).isEmpty();
            manual.clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
            manual.loop.put(service("b", 2));
            await().untilAsserted(() -> assertThat(recorder.calls).containsExactly(Set.of(new ServiceName("ns", "a"), new ServiceName("ns", "b"))));
        }
    }

    @Test
    void endpoints_that_keep_going_do_not_hold_up_what_comes() {
        try (Manual manual = new Manual(recorder)) {
            recorder.takes = () -> manual.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(600));
            for (int i = 1; i <= 5; i++) {
                manual.loop.put(service("losing" + i, i));
                manual.loop.put(slice("losing" + i, 1, 2));
            }
            manual.sync();
            await().until(() -> recorder.calls.size() == 1);
            manual.loop.put(service("coming", 9));
            for (int i = 1; i <= 5; i++) {
                ServiceName losing = new ServiceName("ns", "losing" + i);
                manual.loop.put(slice("losing" + i, 1));
                await().until(() -> recorder.calls.stream().skip(1).anyMatch(changed -> changed.contains(losing)));
            }
            await().until(() -> recorder.calls.stream().skip(1).anyMatch(changed -> changed.contains(new ServiceName("ns", "coming"))));
        }
    }

    @Test
    void changes_do_not_wait_for_a_comparison_that_fails() {
        try (Manual manual = new Manual(recorder)) {
            manual.sync();
            await().until(() -> recorder.calls.size() == 1);
            recorder.failingAudits.set(Integer.MAX_VALUE);
            recorder.disturbed.set(true);
            recorder.wake.run();
            await().until(() -> recorder.audits.get() == 1);
            manual.loop.put(service("a", 1));
            await().untilAsserted(() -> assertThat(recorder.calls).hasSize(2));
            recorder.failingAudits.set(0);
            manual.clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            recorder.wake.run();
            await().untilAsserted(() -> assertThat(recorder.audits.get()).as("tried again later").isEqualTo(2));
        }
    }

    /** A loop whose time stands still unless the test moves it. */
    private static final class Manual implements AutoCloseable {
        private final AtomicLong clock = new AtomicLong(1);
        private final SyncLoop loop;
        private final Thread thread;

        Manual(Recorder recorder) {
            loop = new SyncLoop(new ClusterModel(new NodeView("n", "", List.of(), List.of(), List.of()), _ -> {}), recorder, _ -> OPTIONS,
                    SyncObserver.NONE, clock::get);
            thread = Thread.ofPlatform().start(loop);
        }

        void sync() {
            loop.synced(Resource.SERVICES);
            loop.synced(Resource.SLICES);
            loop.synced(Resource.NODES);
        }

        @Override
        public void close() {
            loop.close();
            await().until(() -> !thread.isAlive());
        }
    }

    @Test
    void an_empty_cluster_is_programmed_too() {
        sync();
        await().untilAsserted(() -> assertThat(recorder.calls).containsExactly(Set.of()));
    }

    @Test
    void what_comes_while_one_change_is_applied_is_applied_together() {
        CountDownLatch hold = new CountDownLatch(1);
        recorder.hold = hold;
        sync();
        await().until(() -> recorder.started.get() == 1);
        for (int i = 1; i < 100; i++) {
            loop.put(service("s" + i, i));
        }
        hold.countDown();
        await().untilAsserted(() -> assertThat(recorder.calls).hasSize(2).last().satisfies(changed -> assertThat(changed).hasSize(99)));
    }

    @Test
    void a_failure_loses_nothing_and_is_tried_again() {
        sync();
        await().until(() -> recorder.calls.size() == 1);
        recorder.failures.set(2);
        CountDownLatch hold = new CountDownLatch(1);
        recorder.hold = hold;
        loop.put(service("a", 1));
        await().until(() -> recorder.started.get() == 2);
        loop.put(service("b", 2));
        hold.countDown();
        await().untilAsserted(() -> assertThat(recorder.calls).hasSize(2).last()
                .isEqualTo(Set.of(new ServiceName("ns", "a"), new ServiceName("ns", "b"))));
    }

    @Test
    void without_the_right_to_program_anything_it_ends() throws InterruptedException {
        recorder.lasting = true;
        recorder.failures.set(1);
        sync();
        thread.join();
        assertThat(loop.hopeless()).hasMessage("as the test wants");
    }

    private static SliceFact slice(String service, int... endpoints) {
        List<EndpointFact> facts = IntStream.of(endpoints)
                .mapToObj(last -> new EndpointFact(Objects.requireNonNull(Address.parse("10.1.0." + last)), true, "", "", "", "")).toList();
        return new SliceFact("ns", service + "-1", service, "", List.of(new PortFact("", Protocol.TCP, 80)), facts, 0);
    }

    @Test
    void an_endpoint_that_goes_overtakes_what_came_before_it() {
        loop.put(service("losing", 1));
        loop.put(slice("losing", 1, 2));
        loop.put(service("gaining", 2));
        loop.put(slice("gaining", 3));
        sync();
        await().until(() -> recorder.calls.size() == 1);
        CountDownLatch hold = new CountDownLatch(1);
        recorder.hold = hold;
        loop.put(service("first", 3));
        await().until(() -> recorder.started.get() == 2);
        for (int i = 10; i < 60; i++) {
            loop.put(service("s" + i, i));
        }
        loop.put(slice("gaining", 3, 4));
        loop.put(slice("losing", 1));
        hold.countDown();
        await().untilAsserted(() -> assertThat(recorder.calls).hasSize(4));
        assertThat(recorder.calls.get(2)).containsExactly(new ServiceName("ns", "losing"));
        assertThat(recorder.calls.get(3)).hasSize(51).contains(new ServiceName("ns", "gaining"), new ServiceName("ns", "s59"));
    }

    @Test
    void what_others_changed_is_repaired_at_once_without_a_change_of_the_cluster() {
        // Time stands still: nothing is looked at since its turn had come.
        try (Manual manual = new Manual(recorder)) {
            manual.sync();
            await().until(() -> recorder.calls.size() == 1);
            recorder.drift.set(new Audit(List.of("a rule is missing"), List.of()));
            recorder.disturbed.set(true);
            recorder.wake.run();
            await().untilAsserted(() -> assertThat(recorder.calls).hasSize(2).last().isEqualTo(Set.of()));
        }
    }

    @Test
    void what_a_backend_is_not_told_of_is_found_by_the_next_look() {
        try (Manual manual = new Manual(recorder)) {
            manual.sync();
            await().until(() -> recorder.calls.size() == 1);
            recorder.drift.set(new Audit(List.of("a rule is missing"), List.of()));
            recorder.disturbed.set(true);
            manual.clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            await().untilAsserted(() -> assertThat(recorder.calls).hasSize(2));
        }
    }

    @Test
    void a_disturbance_that_changed_nothing_of_ours_is_looked_at_and_left() {
        sync();
        await().until(() -> recorder.calls.size() == 1);
        recorder.disturbed.set(true);
        await().until(() -> recorder.audits.get() == 1);
        loop.put(service("a", 1));
        await().untilAsserted(() -> assertThat(recorder.calls).containsExactly(Set.of(), Set.of(new ServiceName("ns", "a"))));
    }

    private static final class Recorder implements Backend {
        private final List<Set<ServiceName>> calls = new CopyOnWriteArrayList<>();
        private final AtomicInteger failures = new AtomicInteger();
        private final AtomicInteger started = new AtomicInteger();
        private final AtomicInteger audits = new AtomicInteger();
        private final AtomicBoolean disturbed = new AtomicBoolean();
        private final AtomicReference<Audit> drift = new AtomicReference<>(Audit.CLEAN);
        private final AtomicInteger failingAudits = new AtomicInteger();
        private final List<String> zones = new CopyOnWriteArrayList<>();
        private volatile Runnable takes = () -> {};
        private volatile Runnable wake = () -> {};
        private volatile boolean lasting;
        private volatile CountDownLatch hold = new CountDownLatch(0);

        @Override
        public void apply(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
            started.incrementAndGet();
            try {
                hold.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (failures.get() > 0) {
                failures.decrementAndGet();
                throw new ApplyFailure("as the test wants", lasting);
            }
            takes.run();
            zones.add(desired.node().zone());
            calls.add(changed);
        }

        @Override
        public String render(Desired desired) {
            return "";
        }

        @Override
        public Audit audit(Desired desired) throws ApplyFailure {
            audits.incrementAndGet();
            if (failingAudits.get() > 0) {
                failingAudits.decrementAndGet();
                throw new ApplyFailure("as the test wants", false);
            }
            return drift.getAndSet(Audit.CLEAN);
        }

        @Override
        public boolean isDisturbed() {
            return disturbed.getAndSet(false);
        }

        @Override
        public void onDisturbance(Runnable wake) {
            this.wake = wake;
        }

        @Override
        public List<String> cleanUp() {
            return List.of();
        }
    }
}
