package dev.cairn.facts;

/** A namespace that exists and was selected. */
public record NamespaceFact(String name) implements Fact {
    @Override
    public Resource resource() {
        return Resource.NAMESPACES;
    }

    @Override
    public String namespace() {
        return name;
    }
}
