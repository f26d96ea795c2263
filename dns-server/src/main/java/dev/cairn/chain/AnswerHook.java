package dev.cairn.chain;

/** A plugin that looks at, or changes, the answer that a plugin below it gave. */
public interface AnswerHook extends Plugin {
    /** Usually returns {@link Step#ANSWERED}; {@link Step#NEXT} sends the query down again from below this plugin. */
    Step answer(Exchange exchange);
}
