package dev.cairn.corefile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProblemsTest {

    @Test
    void problemsAreSortedByFileAndLineAndKeptOnce() {
        Problems problems = new Problems();
        assertThat(problems.hasErrors()).isFalse();
        problems.warning(new Position("b", 9), "w");
        assertThat(problems.hasErrors()).isFalse();
        problems.error(new Position("a", 5), "x");
        problems.error(new Position("b", 2), "y");
        problems.error(new Position("a", 5), "x");
        problems.error(new Position("a", 1), "z");
        assertThat(problems.hasErrors()).isTrue();
        assertThat(problems.all()).extracting(Problem::toString).containsExactly("b:2: y", "b:9: w", "a:1: z", "a:5: x");
    }
}
