package dev.cairn.cluster.control;

/** Says why a service cannot be as it is written, in the words of the API server. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refusal(String message) {
        super(message);
    }
}
