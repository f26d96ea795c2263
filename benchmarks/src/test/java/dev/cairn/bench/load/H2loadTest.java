package dev.cairn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2loadTest {
    @Test
    void whatItPrintsIsUnderstood() throws IOException {
        assertThat(H2load.parse("""
                finished in 3.00s, 508.33 req/s, 35.34KB/s
                requests: 1525 total, 1625 started, 1525 done, 1525 succeeded, 0 failed, 0 errored, 0 timeout
                """)).isEqualTo(new H2load(1525, 508.33));
    }

    @Test
    void failedRequestsAreNoFigure() {
        assertThatThrownBy(() -> H2load.parse("""
                finished in 3.00s, 508.33 req/s, 35.34KB/s
                requests: 1525 total, 1625 started, 1525 done, 1500 succeeded, 25 failed, 0 errored, 0 timeout
                """)).isInstanceOf(IOException.class).hasMessageContaining("25 failed");
        assertThatThrownBy(() -> H2load.parse("unable to connect")).isInstanceOf(IOException.class).hasMessageContaining("unable to connect");
    }

    @Test
    void questionsBecomeAddresses(@TempDir Path directory) throws IOException {
        Path queries = Files.writeString(directory.resolve("queries"), "a.bench.example A\nb.bench.example A\n");
        assertThat(Files.readAllLines(H2load.addresses(queries, 8443))).hasSize(2).allSatisfy(line ->
                assertThat(line).startsWith("https://127.0.0.1:8443/dns-query?dns=AAABAAABAAAAAAAB").doesNotContain("=="));
    }
}
