package dev.cairn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterStoreTest {
    @TempDir
    Path directory;

    private void keep(String kind, int services, int bare) throws IOException {
        Path cluster = Files.createTempDirectory(directory, "cluster");
        Files.createDirectories(cluster.resolve("etcd/member"));
        Files.writeString(cluster.resolve("etcd/member/db"), services + " services");
        new ClusterStore(directory.resolve("home"), kind).keep(cluster, services, bare);
    }

    @Test
    void theLargestThatIsNotTooLargeIsFound() throws IOException {
        ClusterStore store = new ClusterStore(directory.resolve("home"), "abc");
        assertThat(store.largest(10_000)).isZero();
        keep("abc", 1000, 0);
        keep("abc", 3000, 0);
        keep("abc", 5000, 100);
        keep("def", 9000, 0);
        keep("abc", 30_000, 0);
        assertThat(store.largest(10_000)).isEqualTo(3000);
        assertThat(store.has(3000, 0)).isTrue();
        assertThat(store.has(5000, 0)).isFalse();
        assertThat(store.has(5000, 100)).isTrue();
        assertThat(store.has(9000, 0)).isFalse();
        assertThat(directory.resolve("home/abc-3000/member/db")).content().isEqualTo("3000 services");
    }
}
