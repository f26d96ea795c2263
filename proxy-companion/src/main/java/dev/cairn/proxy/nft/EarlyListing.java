package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel holds, read while the cluster is: for a process that starts anew, and finds what the one before it has left. It counts only if nobody
 * has changed a table since, which the kernel tells by a number.
 */
final class EarlyListing {
    private final NftElements elements;
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile @Nullable FutureTask<Read> reading;

    private record Read(int generation, Map<IpFamily, NftListing> tables) {}

    private EarlyListing(NftElements elements) {
        this.elements = elements;
    }

    /**
     * Begins to read, on a thread of its own.
     *
     * @param kept for how long, since it takes some memory: if the cluster cannot be reached, it may be needed no more
     */
    static EarlyListing begin(NftElements elements, List<IpFamily> families, Duration kept) {
        EarlyListing listing = new EarlyListing(elements);
        FutureTask<Read> begun = new FutureTask<>(() -> read(elements, families));
        listing.reading = begun;
        Thread.ofPlatform().daemon().name("cairn-nft-listing").start(() -> {
            begun.run();
            listing.forgetAfter(kept);
        });
        return listing;
    }

    private void forgetAfter(Duration time) {
        try {
            var _ = asked.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        reading = null;
    }

    boolean isForgotten() {
        return reading == null;
    }

    private static Read read(NftElements elements, List<IpFamily> families) throws ApplyFailure {
        int generation = elements.generation();
        Map<IpFamily, NftListing> tables = new EnumMap<>(IpFamily.class);
        for (IpFamily family : families) {
            NftListing listing = elements.read(family);
            if (listing != null) {
                tables.put(family, listing);
            }
        }
        return new Read(generation, tables);
    }

    /**
     * The tables by family, those that are there; null if they have changed since, could not be read or are forgotten, so that they have to be read now. To
     * be asked once.
     */
    @Nullable Map<IpFamily, NftListing> get() throws ApplyFailure {
        FutureTask<Read> begun = reading;
        asked.countDown();
        if (begun == null) {
            return null;
        }
        try {
            Read read = begun.get();
            return read.generation == elements.generation() ? read.tables : null;
        } catch (ExecutionException _) {
            return null;   // to read now fails too, and then is told
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
