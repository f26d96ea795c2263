package dev.cairn.plugin.k8sexternal;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.facts.Address;
import dev.cairn.plugin.ClusterFollower;
import dev.cairn.plugin.ZoneContent;
import dev.cairn.plugin.ZoneSource;
import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.ClusterStore;
import dev.cairn.zone.NameEntry;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Answers for the external zones. */
final class K8sExternalPlugin implements Plugin, ClusterFollower, ZoneSource {
    /** More records than this may be more than the smallest client takes. */
    private static final int MAY_NOT_FIT = 4;

    /** So many aliases may lead into one another. */
    private static final int MAX_DEPTH = 8;

    private final ExternalSettings settings;
    private final ExternalZone[] zones;
    private final WireName[] through;
    private volatile @Nullable ExternalIndex index;

    K8sExternalPlugin(ExternalSettings settings) {
        this.settings = settings;
        zones = settings.zones().stream().map(zone -> new ExternalZone(zone, settings)).toArray(ExternalZone[]::new);
        through = settings.through().toArray(WireName[]::new);
    }

    @Override
    public String name() {
        return "k8s_external";
    }

    @Override
    public void follow(ClusterStore store, Set<String> namespaces, boolean podNames, Set<Address> localAddresses) {
        ExternalIndex following = new ExternalIndex(store, settings, namespaces, podNames, localAddresses);
        store.watch(following);
        index = following;
    }

    @Override
    public void leave() {
        ExternalIndex left = index;
        if (left != null) {
            left.store().unwatch(left);
        }
        index = null;
    }

    @Override
    public boolean hasZone(WireName zone) {
        return settings.zones().contains(zone);
    }

    @Override
    public @Nullable ZoneContent content(WireName zone) {
        ExternalIndex known = index;
        int at = settings.zones().indexOf(zone);
        return known == null || !known.store().isSynced() || at < 0 ? null : zones[at].content(known);
    }

    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        ExternalZone zone = longestZone(query);
        if (zone == null) {
            return Step.NEXT;
        }
        ExternalIndex known = index;
        if (known == null || !known.store().isSynced()) {
            return exchange.fail(Rcode.SERVFAIL, "the cluster is not known yet: waiting for the first sync");
        }
        if (query.type() == DnsType.AXFR || query.type() == DnsType.IXFR) {
            return exchange.refuse(Rcode.REFUSED);
        }
        exchange.answer().set(HeaderFlag.AA);
        if (zone.answerOwn(exchange, known)) {
            return Step.ANSWERED;
        }
        RrSet pointers = known.pointers(query);
        NameEntry found = pointers == null ? known.find(query) : NameEntry.EMPTY;
        if (found == null) {
            return unknown(exchange, zone, known);
        }
        if (pointers != null && query.type() == DnsType.PTR) {
            exchange.answer().addForQuestion(pointers);
            return Step.ANSWERED;
        }
        return answer(exchange, found, zone, known);
    }

    private @Nullable ExternalZone longestZone(QueryView query) {
        ExternalZone longest = null;
        for (ExternalZone zone : zones) {
            if (query.isWithin(zone.zone()) && (longest == null || zone.zone().length() > longest.zone().length())) {
                longest = zone;
            }
        }
        return longest;
    }

    private Step unknown(Exchange exchange, ExternalZone zone, ExternalIndex known) {
        if (exchange.query().isWithinAny(through)) {
            exchange.answer().clear(HeaderFlag.AA);
            return Step.NEXT;
        }
        exchange.answer().rcode(Rcode.NXDOMAIN);
        exchange.answer().add(Section.AUTHORITY, zone.soa(known));
        return Step.ANSWERED;
    }

    private static Step answer(Exchange exchange, NameEntry found, ExternalZone zone, ExternalIndex known) {
        int type = exchange.query().type();
        RrSet alias = found.alias();
        if (alias != null && (type == DnsType.A || type == DnsType.AAAA)) {
            return follow(exchange, alias);
        }
        RrSet records = found.records(type);
        if (records == null) {
            exchange.answer().add(Section.AUTHORITY, zone.soa(known));
            return Step.ANSWERED;
        }
        Part part = exchange.answer().addForQuestion(records);
        if (records.count() > MAY_NOT_FIT) {
            // Cut short, the answer shall not give every client the same few endpoints.
            part.rotate(ThreadLocalRandom.current().nextInt(records.count()));
        }
        for (int i = 0; type == DnsType.SRV && i < found.additional().size(); i++) {
            exchange.answer().add(Section.ADDITIONAL, found.additional().get(i));
        }
        return Step.ANSWERED;
    }

    /** Asks the whole server for the addresses of a load balancer that is known by name. */
    private static Step follow(Exchange exchange, RrSet alias) {
        exchange.answer().addForQuestion(alias);
        if (exchange.depth() > MAX_DEPTH) {
            return Step.ANSWERED;
        }
        byte[] data = alias.data(0);
        WireName target = WireName.of(data, 0, data.length);
        return exchange.ask(target, exchange.query().type(), inner -> {
            exchange.answer().addAll(Section.ANSWER, inner.answer(), target);
            if ((inner.answer().flags() & HeaderFlag.TC) != 0) {
                exchange.answer().set(HeaderFlag.TC);
            }
        });
    }
}
