package dev.cairn.facts;

/**
 * A port of a service or of a slice.
 *
 * @param name empty if it has none
 * @param port the service's port, or in a slice the port of the endpoints
 * @param nodePort 0 if there is none
 */
public record PortFact(String name, Protocol protocol, int port, int nodePort) {
    public PortFact {
        if (port < 1 || port > 0xffff || nodePort < 0 || nodePort > 0xffff) {
            throw new IllegalArgumentException("not a port: " + port + ", node port " + nodePort);
        }
    }

    public PortFact(String name, Protocol protocol, int port) {
        this(name, protocol, port, 0);
    }
}
