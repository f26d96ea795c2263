package dev.cairn.proxy.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class ToolTest {
    @Test
    void a_program_is_read_even_while_others_hold_all_threads_that_are_shared() throws ApplyFailure {
        CountDownLatch hold = new CountDownLatch(1);
        for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
            ForkJoinPool.commonPool().execute(() -> {
                try {
                    hold.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        try {
            Tool.Answer answer = Objects.requireNonNull(new Tool(List.of()).run(
                    List.of("sh", "-c", "cat; head -c 200000 /dev/zero | tr '\\0' e >&2; echo done"), "in\n"));
            assertThat(answer.out()).isEqualTo("in\ndone\n");
            assertThat(answer.err()).hasSize(200_000);
            assertThat(answer.code()).isZero();
        } finally {
            hold.countDown();
        }
    }
}
