package dev.cairn.conformance;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.WireName;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The plugin that a suite wants below those of its Corefile: it answers {@code NXDOMAIN}, or {@code A ADDRESS ttl SECONDS [truncated]}, and else
 * SERVFAIL.
 */
final class NextHandler implements Plugin {
    private static final WireName ZONE = WireName.parse("example.org");

    private final Map<WireName, String> answers = new HashMap<>();

    NextHandler(Map<String, Object> byName) {
        byName.forEach((name, answer) -> {
            if (!name.equals("other")) {
                answers.put(WireName.parse(name), Objects.toString(answer));
            }
        });
    }

    @Override
    public String name() {
        return "next_handler";
    }

    @Override
    public Step query(Exchange exchange) {
        String answer = answers.get(WireName.of(exchange.query().name(), 0, exchange.query().nameLength()));
        if (answer == null) {
            return exchange.refuse(Rcode.SERVFAIL);
        }
        String[] words = answer.split(" ", -1);
        if (words[0].equals("NXDOMAIN")) {
            exchange.answer().rcode(Rcode.NXDOMAIN);
            exchange.answer().add(Section.AUTHORITY,
                    Rdata.single(ZONE, DnsType.SOA, 1800, Rdata.soa(ZONE, ZONE, 1502165581, 14400, 3600, 604800, 14400)));
        } else {
            if (words.length > 4) {
                exchange.answer().set(HeaderFlag.TC);
            }
            exchange.answer().addForQuestion(Rdata.single(WireName.ROOT, DnsType.A, Integer.parseInt(words[3]), address(words[1])));
        }
        return Step.ANSWERED;
    }

    private static byte[] address(String text) {
        try {
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
