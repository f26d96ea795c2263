package dev.cairn.proxy;

import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.plan.Outcome;
import dev.cairn.proxy.plan.Packet;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-proxy trace}: what becomes of a packet, and why. */
@Command(
        name = "trace",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Tell what becomes of a packet on this node, and why.")
final class TraceCommand implements Runnable {
    private static final Pattern PLACE = Pattern.compile("\\[?([0-9A-Fa-f.:]+?)\\]?:([0-9]{1,5})(?:/([A-Za-z]+))?");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ProxyFlags flags = new ProxyFlags();

    @Option(names = "--from", required = true, paramLabel = "ADDRESS", description = "The packet's source.")
    private String from = "";

    @Option(names = "--to", required = true, paramLabel = "ADDRESS:PORT[/PROTOCOL]", description = "Its destination; the protocol is tcp (default), udp or sctp.")
    private String to = "";

    @Option(names = "--interface", paramLabel = "NAME", description = "The interface it comes in by, where pods are told by that.")
    private String device = "";

    @Override
    public void run() {
        Packet packet = packet();
        ProxyConfig settings = flags.settings();
        Outcome outcome = Snapshot.take(flags, settings).walk(settings.mode()).walk(packet);
        PrintWriter out = spec.commandLine().getOut();
        outcome.why().forEach(out::println);
        switch (outcome.verdict()) {
            case DNAT -> {
                if (outcome.match() != null) {
                    out.println("by " + Backends.where(settings.mode(), outcome.match()));
                }
                outcome.endpoints().forEach(endpoint -> out.println("-> " + endpoint));
                out.println(outcome.masquerade() ? "source: an address of this node" : "source: " + packet.from());
            }
            case NONE -> out.println("-> not touched");
            default -> out.println("-> " + outcome.verdict().name().toLowerCase(Locale.ROOT));
        }
        out.flush();
    }

    private Packet packet() {
        Address source = Address.parse(from);
        Matcher place = PLACE.matcher(to);
        if (source == null) {
            throw new CommandFailure(CairnProxy.USAGE, "--from " + from + " is not an address");
        }
        Address target = place.matches() ? Address.parse(place.group(1)) : null;
        if (target == null) {
            throw new CommandFailure(CairnProxy.USAGE, "--to " + to + " is not a destination: write ADDRESS:PORT/PROTOCOL, such as 10.96.0.10:53/udp");
        }
        String protocol = place.group(3) == null ? "TCP" : place.group(3).toUpperCase(Locale.ROOT);
        return switch (protocol) {
            case "TCP", "UDP", "SCTP" -> new Packet(source, target, Integer.parseInt(place.group(2)), Protocol.valueOf(protocol), device);
            default -> throw new CommandFailure(CairnProxy.USAGE, "protocol " + protocol + " is unknown: write tcp, udp or sctp");
        };
    }
}
