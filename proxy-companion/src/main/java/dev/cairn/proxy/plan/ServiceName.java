package dev.cairn.proxy.plan;

/** A service's name, in the order in which services are planned and win over each other. */
public record ServiceName(String namespace, String name) implements Comparable<ServiceName> {
    @Override
    public int compareTo(ServiceName that) {
        int order = namespace.compareTo(that.namespace);
        return order != 0 ? order : name.compareTo(that.name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
