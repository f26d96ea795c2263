package dev.cairn.facts;

/** One object of the cluster. */
public sealed interface Fact permits NamespaceFact, ServiceFact, SliceFact, PodFact, ImportFact, NodeFact, RangeFact {
    /** The kind of object. */
    Resource resource();

    /** The namespace it is in; of a namespace, its own name. */
    String namespace();

    String name();
}
