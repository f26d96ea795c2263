package dev.cairn.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.bench.report.Samples;
import org.junit.jupiter.api.Test;

class OutlookTest {
    private static final double KILOBYTE = 1 / 1024.0;

    @Test
    void slopesAreDrawnOutToLargerClusters() {
        Samples samples = new Samples(GrowthPart.NAME);
        for (int size : new int[] {1000, 3000, 10_000}) {
            samples.add(GrowthPart.MEMORY, "cairn", size, 100 + size * KILOBYTE);
            samples.add(EventPart.CPU, "cairn", size, 200 + size / 1000.0);
            samples.add(GrowthPart.READY, "cairn", size, 0.5 + size / 20_000.0);
        }
        samples.add(GrowthPart.BARE, "cairn", 10_000, 100 + 10_000 * KILOBYTE + 1000 * KILOBYTE / 2);
        samples.about(Outlook.BARE_SERVICES, "1000");
        assertThat(Outlook.text(samples.section())).contains("an estimate")
                .contains("**cairn**: 100 MB and 1,024 bytes for each service with its 10 endpoints (512 for the service, 51 for each endpoint)")
                .contains("198 MB for 100,000 services with 1,000,000 endpoints")
                .contains("115 MB for 5,000 nodes with 150,000 pods")
                .contains("The 170 MiB of kubeadm's Deployment are full with 72,000 services at rest.")
                .contains("A start takes 0.050 s for each thousand services, so 5.50 s with 100,000.")
                .contains("200 µs of CPU and 1 µs more for each thousand services, so 300 µs with 100,000")
                .contains("within an hour, that is 2.50 per cent of one processor, and 3,333 events a second are the most that one processor takes.")
                .doesNotContain("CoreDNS");
    }

    @Test
    void oneSizeIsNoSlope() {
        Samples samples = new Samples(GrowthPart.NAME);
        samples.add(GrowthPart.MEMORY, "cairn", 1000, 100);
        assertThat(Outlook.text(samples.section())).isEmpty();
    }
}
