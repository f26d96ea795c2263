package dev.cairn.proxy.sync;

import java.util.ArrayList;
import java.util.List;

/**
 * How the kernel differs from what shall be, each difference in one line that names the thing.
 *
 * @param drift what is missing, changed or left over of ours; the next apply repairs it
 * @param foreign what others have put where only ours should be; it is left alone
 */
public record Audit(List<String> drift, List<String> foreign) {
    public static final Audit CLEAN = new Audit(List.of(), List.of());

    public Audit {
        drift = List.copyOf(drift);
        foreign = List.copyOf(foreign);
    }

    /** Both together. */
    public Audit and(Audit other) {
        List<String> drifts = new ArrayList<>(drift);
        drifts.addAll(other.drift);
        List<String> foreigns = new ArrayList<>(foreign);
        foreigns.addAll(other.foreign);
        return new Audit(drifts, foreigns);
    }
}
