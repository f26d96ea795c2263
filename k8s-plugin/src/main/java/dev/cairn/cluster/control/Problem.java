package dev.cairn.cluster.control;

/** Something in the manifests that was left out or is doubtful, in words for the user. */
public record Problem(Origin origin, String text) {
    @Override
    public String toString() {
        return origin + ": " + text;
    }
}
