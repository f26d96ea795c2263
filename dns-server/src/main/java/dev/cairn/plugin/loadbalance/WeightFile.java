package dev.cairn.plugin.loadbalance;

import dev.cairn.corefile.GoDuration;
import dev.cairn.log.Log;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Draws the first address by weights from a file. Choosing is for all threads; the file is read by the starting thread and then only by the
 * scheduler's. While the file can't be used, the weights read before stay in force.
 */
final class WeightFile implements FirstRecord {
    private static final Log LOG = Log.plugin("loadbalance");

    private final Path file;
    private final Duration reload;
    private final ScheduledExecutorService scheduler;
    private volatile Weights weights = Weights.NONE;
    private String content = "";
    private @Nullable ScheduledFuture<?> watch;

    WeightFile(Path file, Duration reload, ScheduledExecutorService scheduler) {
        this.file = file;
        this.reload = reload;
        this.scheduler = scheduler;
    }

    /** A file that is not there may come later, if it is looked for; one with mistakes is refused at start. */
    void start() throws IOException {
        try {
            use(Files.readString(file));
        } catch (IOException e) {
            if (reload.isZero()) {
                throw new IOException("plugin/loadbalance: weight file " + file + " can't be read: " + e
                        + "; create it, or allow 'reload' to find it later", e);
            }
            LOG.warning("Failed to open weight file:" + e + ". Will try again in " + GoDuration.format(reload));
        } catch (IllegalArgumentException e) {
            throw new IOException("plugin/loadbalance: " + e.getMessage(), e);
        }
        if (!reload.isZero()) {
            watch = scheduler.scheduleWithFixedDelay(this::readAgain, reload.toNanos(), reload.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    void stop() {
        if (watch != null) {
            watch.cancel(false);
        }
    }

    private void readAgain() {
        try {
            use(Files.readString(file));
        } catch (IOException e) {
            LOG.error("weight file open error: " + e);
        } catch (IllegalArgumentException e) {
            LOG.error(String.valueOf(e.getMessage()));
        }
    }

    /** A content with mistakes is remembered too, so that they are told once. */
    private void use(String read) {
        if (!read.equals(content)) {
            content = read;
            weights = Weights.parse(read, file.toString());
            LOG.info("Successfully reloaded weight file " + file);
        }
    }

    @Override
    public int choose(Part part, QueryView query) {
        boolean isAddress = part.set().type() == DnsType.A || part.set().type() == DnsType.AAAA;
        boolean isAsked = query.type() == DnsType.A || query.type() == DnsType.AAAA || query.type() == DnsType.SRV;
        if (!isAddress || !isAsked || part.section() == Section.AUTHORITY) {
            return part.first();
        }
        Map<ByteBuffer, Integer> known = weights.of(part, query);
        int count = part.set().count();
        return known == null ? ThreadLocalRandom.current().nextInt(count) : draw(part, known, count);
    }

    private static int draw(Part part, Map<ByteBuffer, Integer> known, int count) {
        int[] upTo = new int[count];
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += known.getOrDefault(ByteBuffer.wrap(part.set().data(i)), Weights.DEFAULT);
            upTo[i] = sum;
        }
        int drawn = ThreadLocalRandom.current().nextInt(sum);
        int chosen = 0;
        while (upTo[chosen] <= drawn) {
            chosen++;
        }
        return chosen;
    }
}
