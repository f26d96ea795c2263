package dev.cairn.plugin.bind;

import dev.cairn.wire.AddressText;
import dev.cairn.wire.IpAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The network interfaces and their addresses. Addresses are told in one spelling (RFC 5952, with the interface where it is needed), so that
 * equal ones are equal texts.
 */
record Interfaces(Map<String, List<String>> byName) {
    static final Interfaces NONE = new Interfaces(Map.of());

    static Interfaces ofMachine() throws SocketException {
        Map<String, List<String>> byName = new LinkedHashMap<>();
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            byName.put(each.getName(), each.inetAddresses().map(address -> text(address, each.getName())).toList());
            // Further addresses with a label of their own, eth0:1, belong to the interface too.
            each.subInterfaces().forEach(sub -> byName.put(sub.getName(),
                    sub.inetAddresses().map(address -> text(address, each.getName())).toList()));
        }
        return new Interfaces(byName);
    }

    /**
     * The addresses that an interface's name or an address literal stands for.
     *
     * @throws IllegalArgumentException if it is neither, with what to write instead
     */
    List<String> addresses(String interfaceOrAddress) {
        List<String> ofInterface = byName.get(interfaceOrAddress);
        if (ofInterface != null) {
            if (ofInterface.isEmpty()) {
                throw new IllegalArgumentException("interface " + interfaceOrAddress + " has no address: give it one, or name another");
            }
            return ofInterface;
        }
        String bare = interfaceOrAddress.replaceFirst("%.*", "");
        // Checked before it is parsed: Java takes "53" for an address too.
        if (IpAddress.parse(bare) == null || (bare.indexOf(':') < 0 && bare.length() < interfaceOrAddress.length())) {
            throw new IllegalArgumentException("not a valid IP address or interface name: \"" + interfaceOrAddress + "\"; write one of "
                    + String.join(", ", byName.keySet()) + ", or an address");
        }
        String scope = bare.length() < interfaceOrAddress.length() ? interfaceOrAddress.substring(bare.length() + 1) : null;
        InetAddress address = InetAddress.ofLiteral(bare);
        if (scope == null && address instanceof Inet6Address && address.isLinkLocalAddress()) {
            throw new IllegalArgumentException(bare + " is valid only with its interface: write " + bare + "%INTERFACE");
        }
        if (scope != null && !byName.containsKey(scope)) {
            throw new IllegalArgumentException("\"" + scope + "\" in " + interfaceOrAddress + " is not an interface; write one of "
                    + String.join(", ", byName.keySet()));
        }
        return List.of(text(address, scope));
    }

    private static String text(InetAddress address, @Nullable String scope) {
        boolean scoped = scope != null && address instanceof Inet6Address && address.isLinkLocalAddress();
        return AddressText.of(address.getAddress()) + (scoped ? "%" + scope : "");
    }
}
