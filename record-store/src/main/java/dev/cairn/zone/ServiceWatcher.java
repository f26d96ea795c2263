package dev.cairn.zone;

import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Makes something else of services than a {@link ClusterZone} does. Called under the store's lock, so by one thread at a time. */
public interface ServiceWatcher {
    /** A namespace has come or gone. */
    void namespace(String name, boolean exists);

    /** A service, or the endpoints of one, have changed; null if there is no such service any more. */
    void service(String namespace, String name, @Nullable ServiceFact service, Collection<SliceFact> slices);
}
