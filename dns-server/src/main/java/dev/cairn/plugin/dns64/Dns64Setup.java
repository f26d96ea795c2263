package dev.cairn.plugin.dns64;

import dev.cairn.corefile.Use;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.RouteCounter;
import java.util.List;
import java.util.Objects;

/** Reads {@code dns64}. */
public final class Dns64Setup implements PluginSetup {
    private static final List<String> PROPERTIES = List.of("prefix", "translate_all", "allow_ipv4");

    /** RFC 6052 section 2.1. */
    private static final Nat64Prefix WELL_KNOWN = Objects.requireNonNull(Nat64Prefix.parse("64:ff9b::/96"));

    @Override
    public String name() {
        return "dns64";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Nat64Prefix prefix = WELL_KNOWN;
        boolean translateAll = false;
        boolean allowIpv4 = false;
        for (Use use : uses) {
            if (use.expect(0, 1, "dns64 [PREFIX]") && use.count() == 1) {
                prefix = prefix(use);
            }
            for (Use line : use.block()) {
                switch (line.name()) {
                    case "prefix" -> prefix = line.expect(1, 1, "prefix PREFIX") ? prefix(line) : prefix;
                    case "translate_all" -> translateAll = line.expect(0, 0, "translate_all");
                    case "allow_ipv4" -> allowIpv4 = line.expect(0, 0, "allow_ipv4");
                    default -> line.unknown(PROPERTIES);
                }
            }
        }
        CounterFamily translated = block.host().metrics().counter(
                "coredns_dns64_requests_translated_total", "Counter of DNS requests translated by dns64.", "server");
        block.add(new Dns64Plugin(prefix, translateAll, allowIpv4, new RouteCounter(route -> translated.with(route.server()))));
    }

    private static Nat64Prefix prefix(Use line) {
        Nat64Prefix prefix = Nat64Prefix.parse(line.arg(0));
        if (prefix == null) {
            line.error("\"" + line.arg(0) + "\" is no prefix for IPv4 addresses: write an IPv6 network of 32, 40, 48, 56, 64 or 96 bits,"
                    + " such as 64:ff9b::/96");
        }
        return prefix == null ? WELL_KNOWN : prefix;
    }
}
