package dev.cairn.chain;

/** Told when a plugin threw: a defect, answered with SERVFAIL. */
public interface PanicListener {
    void panicked(Exchange exchange, RuntimeException thrown);
}
