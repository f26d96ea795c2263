package dev.cairn.plugin.transfer;

import dev.cairn.authority.PeerAddress;
import dev.cairn.log.Log;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** Sends NOTIFY (RFC 1996). Used by any thread; the waiting is done on threads of its own. */
final class Notifier {
    private static final Log LOG = Log.plugin("transfer");
    private static final int TRIES = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Changes within this time are told once; and at start, listeners are open by then for those who come to look. */
    private static final Duration DELAY = Duration.ofMillis(250);

    private final ScheduledExecutorService scheduler;
    private final Set<WireName> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    Notifier(ScheduledExecutorService scheduler) {
        this.scheduler = scheduler;
    }

    void stop() {
        stopped = true;
    }

    void tell(WireName zone, TransferRule rule) {
        if (waiting.add(zone)) {
            scheduler.schedule(() -> send(zone, rule), DELAY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void send(WireName zone, TransferRule rule) {
        waiting.remove(zone);
        for (InetSocketAddress peer : rule.peers()) {
            Thread.ofVirtual().name("cairn-notify-" + zone).start(() -> send(zone, rule, peer));
        }
    }

    private void send(WireName zone, TransferRule rule, InetSocketAddress peer) {
        String wrong = "";
        try {
            SimpleResolver resolver = new SimpleResolver(peer);
            resolver.setEDNS(-1);
            resolver.setTimeout(TIMEOUT);
            if (rule.source() != null) {
                resolver.setLocalAddress(new InetSocketAddress(rule.source(), 0));
            }
            for (int i = 0; i < TRIES && !stopped; i++) {
                wrong = ask(resolver, zone);
                if (wrong.isEmpty()) {
                    LOG.debug("Sent notifies for zone \"" + zone + "\" to " + PeerAddress.text(peer));
                    return;
                }
            }
        } catch (IOException e) {
            wrong = e.toString();
        }
        if (!stopped) {
            LOG.warning("Failed sending notifies: notify for zone \"" + zone + "\" was not accepted by \""
                    + PeerAddress.text(peer) + "\": " + wrong);
        }
    }

    /** Sends one message; returns what went wrong, empty if nothing did. */
    private static String ask(SimpleResolver resolver, WireName zone) throws IOException {
        Message notify = Message.newQuery(Record.newRecord(Name.fromString(zone.toString()), Type.SOA, DClass.IN));
        notify.getHeader().setOpcode(Opcode.NOTIFY);
        notify.getHeader().unsetFlag(Flags.RD);
        notify.getHeader().setFlag(Flags.AA);
        try {
            int rcode = resolver.send(notify).getRcode();
            return rcode == Rcode.NOERROR ? "" : "rcode was " + Rcode.string(rcode);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
