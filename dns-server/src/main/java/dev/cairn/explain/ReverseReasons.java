package dev.cairn.explain;

import dev.cairn.explain.Finding.Thing;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why names of addresses are answered as they are. */
final class ReverseReasons {
    private static final int IPV6_LABELS = 32;

    private final ClusterFacts facts;

    ReverseReasons(ClusterFacts facts) {
        this.facts = facts;
    }

    Finding of(WireName name, boolean answers) {
        Address address = address(name);
        if (address == null) {
            return Finding.because(name + " is not the whole of an address; PTR records stand at whole ones");
        }
        List<Thing> things = new ArrayList<>();
        List<String> why = new ArrayList<>();
        facts.services().filter(service -> service.clusterIps().contains(address)).forEach(service -> {
            things.add(new Thing("Service", service.namespace(), service.name(), "cluster IP " + address));
            why.add(address + " is the cluster IP of Service " + service.namespace() + "/" + service.name());
        });
        facts.slices().filter(slice -> facts.service(slice.namespace(), slice.service()) != null).forEach(slice -> {
            for (EndpointFact endpoint : slice.endpoints()) {
                if (endpoint.address().equals(address)) {
                    String state = endpoint.ready() ? " ready" : " not ready";
                    things.add(new Thing("EndpointSlice", slice.namespace(), slice.name(), address + state));
                    why.add(endpoint(address, slice, endpoint));
                }
            }
        });
        for (PodFact pod : facts.podsAt(address)) {
            things.add(new Thing("Pod", pod.namespace(), pod.name(), "has " + address));
            if (why.isEmpty()) {
                why.add(address + " is that of pod " + pod.namespace() + "/" + pod.name()
                        + ", which is no endpoint of a Service: a pod alone has no PTR record");
            }
        }
        if (why.isEmpty()) {
            why.add("no Service and no endpoint has " + address);
        }
        if (answers) {
            why.removeIf(sentence -> sentence.contains("not ready"));
        }
        return new Finding(things, why);
    }

    private static String endpoint(Address address, SliceFact slice, EndpointFact endpoint) {
        String of = "endpoint of Service " + slice.namespace() + "/" + slice.service();
        return address + (endpoint.ready() ? " is a ready " + of : " is an " + of + ", but not ready: only ready ones have names");
    }

    /** The address that a reverse name spells; null if it is not the name of one. */
    static @Nullable Address address(WireName name) {
        String text = name.toString();
        String ipv4 = ".in-addr.arpa.";
        String ipv6 = ".ip6.arpa.";
        if (text.endsWith(ipv4)) {
            return Address.parse(String.join(".", List.of(text.substring(0, text.length() - ipv4.length()).split("\\.")).reversed()));
        }
        if (!text.endsWith(ipv6)) {
            return null;
        }
        List<String> digits = List.of(text.substring(0, text.length() - ipv6.length()).split("\\.")).reversed();
        if (digits.size() != IPV6_LABELS) {
            return null;
        }
        StringBuilder spelled = new StringBuilder();
        for (int i = 0; i < IPV6_LABELS; i++) {
            spelled.append(i > 0 && i % 4 == 0 ? ":" : "").append(digits.get(i));
        }
        return Address.parse(spelled.toString());
    }

    /** The reverse name of an address. */
    static String nameOf(Address address) {
        StringBuilder name = new StringBuilder();
        byte[] bytes = address.bytes();
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (address.isIpv4()) {
                name.append(bytes[i] & 0xff).append('.');
            } else {
                name.append(Integer.toHexString(bytes[i] & 0xf)).append('.').append(Integer.toHexString(bytes[i] >> 4 & 0xf)).append('.');
            }
        }
        return name + (address.isIpv4() ? "in-addr.arpa." : "ip6.arpa.");
    }
}
