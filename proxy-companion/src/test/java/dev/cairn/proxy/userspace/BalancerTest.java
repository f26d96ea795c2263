package dev.cairn.proxy.userspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.Endpoint;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BalancerTest {
    private static final Endpoint A = endpoint(1);
    private static final Endpoint B = endpoint(2);
    private static final Endpoint C = endpoint(3);

    private final AtomicLong clock = new AtomicLong();
    private final Balancer balancer = new Balancer(clock::get);

    private static Endpoint endpoint(int number) {
        return new Endpoint(Objects.requireNonNull(Address.parse("10.0.0." + number)), 80);
    }

    private static InetAddress client(int number) {
        return InetAddress.ofLiteral("192.0.2." + number);
    }

    private void targets(int affinity, Endpoint... endpoints) {
        balancer.update(new Targets(List.of(endpoints), List.of(endpoints), affinity));
    }

    private List<Endpoint> first(int client, int count) {
        return Stream.generate(() -> balancer.order(client(client)).getFirst()).limit(count).toList();
    }

    @Test
    void endpoints_take_turns_and_the_others_follow_as_a_way_out() {
        targets(0, A, B, C);
        assertThat(first(1, 4)).containsExactly(A, B, C, A);
        assertThat(balancer.order(client(1))).containsExactly(B, C, A);
        targets(0);
        assertThat(balancer.order(client(1))).isEmpty();
    }

    @Test
    void of_many_endpoints_four_are_tried() {
        targets(0, IntStream.rangeClosed(1, 9).mapToObj(BalancerTest::endpoint).toArray(Endpoint[]::new));
        assertThat(balancer.order(client(1))).hasSize(4).doesNotHaveDuplicates();
    }

    @Test
    void a_client_with_affinity_stays_for_as_long_as_it_comes_in_time() {
        targets(10, A, B, C);
        assertThat(first(1, 3)).containsExactly(A, A, A);
        assertThat(first(2, 2)).containsExactly(B, B);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(9));
        assertThat(first(1, 1)).containsExactly(A);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(9));
        assertThat(first(1, 1)).as("each visit counts").containsExactly(A);
        assertThat(balancer.clients()).as("those that stayed away are forgotten").isOne();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
        assertThat(first(1, 1)).containsExactly(C);
    }

    @Test
    void a_client_leaves_an_endpoint_that_goes_or_refuses() {
        targets(10, A, B, C);
        assertThat(balancer.order(client(1))).startsWith(A);
        balancer.took(client(1), B);
        assertThat(first(1, 2)).containsExactly(B, B);
        targets(10, A, C);
        assertThat(first(1, 2)).containsOnly(C);
        balancer.refused(client(1), A);
        assertThat(first(1, 1)).as("what another refuses").containsExactly(C);
        balancer.refused(client(1), C);
        assertThat(first(1, 2)).containsOnly(A);
    }
}
