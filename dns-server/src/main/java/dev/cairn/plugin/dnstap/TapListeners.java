package dev.cairn.plugin.dnstap;

import dev.cairn.metrics.Counter;
import dev.cairn.plugin.dnstap.TapSettings.Target;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * One listener an address, for all uses of the directive that name it, over the life of the process: a reload opens its uses before it
 * closes the old ones, so that collectors stay connected. Safe for use by any thread.
 */
final class TapListeners {
    private final Map<Target, TapListener> byTarget = new HashMap<>();

    /** One use of {@code dnstap listen}. Does nothing until it is opened. */
    final class Lease implements TapOutlet {
        private final TapSettings settings;
        private final Counter dropped;
        private final ScheduledExecutorService watchdog;
        private volatile @Nullable TapListener listener;

        Lease(TapSettings settings, Counter dropped, ScheduledExecutorService watchdog) {
            this.settings = settings;
            this.dropped = dropped;
            this.watchdog = watchdog;
        }

        void open() {
            synchronized (TapListeners.this) {
                TapListener shared = byTarget.get(settings.target());
                if (shared == null) {
                    shared = new TapListener(settings, dropped, watchdog);
                    byTarget.put(settings.target(), shared);
                    shared.start();
                } else {
                    shared.join(settings);
                }
                listener = shared;
            }
        }

        /** The last one to close ends the listener, under the lock: an address must not be asked for again while it is half closed. */
        void close() {
            synchronized (TapListeners.this) {
                TapListener shared = listener;
                listener = null;
                if (shared != null && shared.leave(settings)) {
                    byTarget.remove(settings.target());
                    shared.stop();
                }
            }
        }

        @Override
        public boolean isWanted() {
            TapListener shared = listener;
            return shared != null && shared.hasCollectors();
        }

        @Override
        public void offer(byte[] frame) {
            TapListener shared = listener;
            if (shared != null) {
                shared.offer(frame);
            }
        }
    }
}
