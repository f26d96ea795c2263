package dev.cairn.chain;

/** A plugin that is told when the reply's bytes are made, or the query was dropped. It can only look. */
public interface FinishHook extends Plugin {
    void finished(Exchange exchange);
}
