package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel holds, read while the cluster is: for a process that starts anew, and finds what the one before it has left. It counts only if nobody
 * has changed a table since, which the kernel tells by a number.
 */
final class EarlyListing {
    private final NftElements elements;
    private final FutureTask<Read> reading;

    private record Read(int generation, Map<IpFamily, NftListing> tables) {}

    private EarlyListing(NftElements elements, List<IpFamily> families) {
        this.elements = elements;
        reading = new FutureTask<>(() -> read(elements, families));
    }

    /** Begins to read, on a thread of its own. */
    static EarlyListing begin(NftElements elements, List<IpFamily> families) {
        EarlyListing listing = new EarlyListing(elements, families);
        Thread.ofPlatform().daemon().name("cairn-nft-listing").start(listing.reading);
        return listing;
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

    /** The tables by family, those that are there; null if they have changed since or could not be read, so that they have to be read now. */
    @Nullable Map<IpFamily, NftListing> get() throws ApplyFailure {
        try {
            Read read = reading.get();
            return read.generation == elements.generation() ? read.tables : null;
        } catch (ExecutionException _) {
            return null;   // to read now fails too, and then is told
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
