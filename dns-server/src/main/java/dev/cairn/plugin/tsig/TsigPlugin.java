package dev.cairn.plugin.tsig;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.log.Log;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.TSIGRecord;

/** Lets pass what needs no signature or has a right one. */
final class TsigPlugin implements Plugin {
    private static final Log LOG = Log.plugin("tsig");

    /** As in CoreDNS, the client chooses; MD5 is not offered (RFC 8945 section 6). */
    private static final Set<Name> ALGORITHMS =
            Set.of(TSIG.HMAC_SHA1, TSIG.HMAC_SHA224, TSIG.HMAC_SHA256, TSIG.HMAC_SHA384, TSIG.HMAC_SHA512);

    private final WireName[] zones;
    private final Requirement required;
    private volatile Map<Name, byte[]> secrets = Map.of();

    TsigPlugin(List<WireName> zones, Requirement required) {
        this.zones = zones.toArray(WireName[]::new);
        this.required = required;
    }

    void secrets(Map<Name, byte[]> all) {
        secrets = Map.copyOf(all);
    }

    @Override
    public String name() {
        return "tsig";
    }

    @Override
    public boolean takesNotify() {
        return true;
    }

    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        if (!query.isSigned()) {
            return required.of(query) && query.isWithinAny(zones) ? unsigned(exchange) : Step.NEXT;
        }
        return query.isWithinAny(zones) ? verify(exchange) : Step.NEXT;
    }

    private static Step unsigned(Exchange exchange) {
        if (Log.debugging()) {
            LOG.offer(Log.Level.DEBUG, "rejecting '" + DnsType.toText(exchange.query().type()) + "' request without TSIG");
        }
        return exchange.refuse(Rcode.REFUSED);
    }

    private Step verify(Exchange exchange) {
        byte[] bytes = Arrays.copyOf(exchange.query().message(), exchange.query().length());
        Message message;
        try {
            message = new Message(bytes);
        } catch (IOException e) {
            return exchange.refuse(Rcode.FORMERR);
        }
        TSIGRecord signature = message.getTSIG();
        if (signature == null) {
            return exchange.refuse(Rcode.FORMERR);
        }
        TSIG key = key(signature);
        int error = key == null ? Rcode.BADKEY : key.verify(message, bytes, null);
        if (error == org.xbill.DNS.Rcode.FORMERR) {
            return exchange.refuse(Rcode.FORMERR);
        }
        exchange.seal(new TsigSeal(key, signature, error));
        if (error == Rcode.NOERROR) {
            return Step.NEXT;
        }
        if (Log.debugging()) {
            LOG.offer(Log.Level.DEBUG, "TSIG validation failed: " + DnsType.toText(exchange.query().type()) + " "
                    + org.xbill.DNS.Rcode.TSIGstring(error));
        }
        return exchange.refuse(Rcode.NOTAUTH);
    }

    private @Nullable TSIG key(TSIGRecord signature) {
        byte[] secret = secrets.get(signature.getName());
        return secret == null || !ALGORITHMS.contains(signature.getAlgorithm())
                ? null
                : new TSIG(signature.getAlgorithm(), signature.getName(), secret);
    }
}
