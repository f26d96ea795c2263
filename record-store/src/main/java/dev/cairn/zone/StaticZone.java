package dev.cairn.zone;

import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.Bytes;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A zone whose records are all known, such as one from a zone file: names, wildcards (RFC 4592), delegations, aliases, and the proofs of a
 * zone signed with NSEC. Immutable, and so asked by any thread; garbage is made only for DNAME and for denials in signed zones.
 */
public final class StaticZone {
    /** What an answer is. */
    public enum Result {
        FOUND,
        /** The name is there, but nothing of the type. */
        NO_DATA,
        /** The name is there only because names below it are. */
        EMPTY_NAME,
        NO_NAME,
        REFERRAL,
        /** The answer ends with an alias to a name that is not in the zone as such: ask elsewhere for {@link #aliasTarget}. */
        ALIAS,
        /** Aliases lead round in a circle, or on and on. */
        CIRCLE,
        /** What a DNAME makes of the name is too long (RFC 6672 section 2.2). */
        TOO_LONG
    }

    private static final int MAX_ALIASES = 16;

    private final WireName origin;
    private final NameMap<ZoneNode> names;
    private final ZoneNode[] ordered;
    private final ZoneNode[] deniers;
    private final byte[][] denierKeys;
    private final ZoneNode apex;
    private final ZoneSet soa;
    private final @Nullable ZoneSet servers;
    private final int negativeTtl;
    private final int records;

    StaticZone(WireName origin, NameMap<ZoneNode> names, ZoneNode[] ordered, int records) {
        this.origin = origin;
        this.names = names;
        this.ordered = ordered;
        this.records = records;
        this.apex = ordered[0];
        ZoneSet start = apex.find(DnsType.SOA);
        if (start == null) {
            throw new IllegalArgumentException("a zone has a SOA record");
        }
        this.soa = start;
        this.servers = apex.find(DnsType.NS);
        byte[] data = soa.records.data(0);
        int minimum = Bytes.i32(data, data.length - 4);
        // RFC 2308 section 3; a minimum with the highest bit set is no time at all (RFC 2181 section 8).
        this.negativeTtl = Math.min(soa.records.ttl(), Math.max(minimum, 0));
        this.deniers = Arrays.stream(ordered).filter(node -> node.nsec != null).toArray(ZoneNode[]::new);
        this.denierKeys = Arrays.stream(deniers).map(node -> CanonicalOrder.key(node.owner)).toArray(byte[][]::new);
    }

    public WireName origin() {
        return origin;
    }

    /** The SOA record, as a set of one. */
    public RrSet soa() {
        return soa.records;
    }

    public int serial() {
        return serialOf(soa.records);
    }

    /** The serial number in a SOA record. */
    public static int serialOf(RrSet soa) {
        byte[] data = soa.data(0);
        return Bytes.i32(data, data.length - 20);
    }

    /** The number of records. */
    public int records() {
        return records;
    }

    /** All record sets but the SOA, signatures included, in canonical order of their names. */
    public Iterable<RrSet> sets() {
        return () -> Arrays.stream(ordered).flatMap(node -> setsOf(node).stream()).iterator();
    }

    private static List<RrSet> setsOf(ZoneNode node) {
        List<RrSet> all = new ArrayList<>();
        for (ZoneSet set : node.sets) {
            if (set.records.type() != DnsType.SOA) {
                all.add(set.records);
            }
            if (set.signatures != null) {
                all.add(set.signatures);
            }
        }
        all.addAll(Arrays.asList(node.strays));
        return all;
    }

    /** Answers a question whose name is in the zone. */
    public Result answer(QueryView query, Answer answer) {
        answer.set(HeaderFlag.AA);
        ZoneNode node = closest(query.name(), query.nameLength(), query.nameHash());
        boolean exact = node.owner.length() == query.nameLength();
        if (node.cut != null && !(exact && isAnsweredAbove(node, query))) {
            return leave(node.cut, query, answer);
        }
        if (!exact && node.dname != null) {
            return substitute(node, node.dname, query, answer);
        }
        ZoneNode source = exact ? node : node.wildcard;
        return source == null ? noName(node, query, answer) : follow(source, !exact, query, answer);
    }

    /** The wildcard that an answer to the question is made from, null if there is none. */
    public @Nullable WireName wildcardFor(QueryView query) {
        ZoneNode node = closest(query.name(), query.nameLength(), query.nameHash());
        boolean made = node.owner.length() != query.nameLength() && node.cut == null && node.dname == null;
        return made && node.wildcard != null ? node.wildcard.owner : null;
    }

    /** A question for DS at the cut is for the zone above (RFC 4035 section 3.1.4.1). */
    private static boolean isAnsweredAbove(ZoneNode node, QueryView query) {
        return node.cut == node && query.type() == DnsType.DS;
    }

    /** The name itself, or the nearest above it that exists. */
    private ZoneNode closest(byte[] name, int length, int hash) {
        ZoneNode found = names.get(name, 0, length, hash);
        for (int at = name[0] + 1; found == null; at += name[at] + 1) {
            found = names.get(name, at, length - at, WireName.hash(name, at, length - at));
        }
        return found;
    }

    private Result leave(ZoneNode cut, QueryView query, Answer answer) {
        ZoneSet delegation = cut == apex ? null : cut.find(DnsType.NS);
        if (delegation == null) {
            return cut.dname == null ? Result.CIRCLE : substitute(cut, cut.dname, query, answer);
        }
        if (!answer.has(Section.ANSWER)) {
            answer.clear(HeaderFlag.AA);
        }
        answer.add(Section.AUTHORITY, delegation.records);
        if (query.dnssecOk()) {
            ZoneSet keys = cut.find(DnsType.DS);
            // A delegation without DS has to be proved one (RFC 4035 section 3.1.4).
            add(answer, Section.AUTHORITY, keys != null ? keys : cut.nsec, true);
        }
        addAdditional(delegation, query, answer);
        return Result.REFERRAL;
    }

    private static Result substitute(ZoneNode node, ZoneSet dname, QueryView query, Answer answer) {
        add(answer, Section.ANSWER, dname, query.dnssecOk());
        byte[] target = dname.records.data(0);
        int kept = query.nameLength() - node.owner.length();
        if (kept + target.length > WireName.MAX_LENGTH) {
            answer.rcode(Rcode.YXDOMAIN);
            return Result.TOO_LONG;
        }
        byte[] made = Arrays.copyOf(query.name(), kept + target.length);
        System.arraycopy(target, 0, made, kept, target.length);
        WireName owner = WireName.of(query.name(), 0, query.nameLength());
        RrSet alias = Rdata.single(owner, DnsType.CNAME, dname.records.ttl(), made);
        answer.addForQuestion(alias);
        return query.type() == DnsType.CNAME ? Result.FOUND : Result.ALIAS;
    }

    private Result follow(ZoneNode source, boolean made, QueryView query, Answer answer) {
        int type = query.type();
        ZoneNode at = source;
        boolean aliasIsAnswer = type == DnsType.CNAME || type == DnsType.ANY || type == DnsType.RRSIG || type == DnsType.NSEC;
        for (int hops = 0; at.alias != null && !aliasIsAnswer; hops++) {
            addAnswer(answer, at.alias, hops == 0, query);
            if (made && hops == 0) {
                proveExpansion(query, answer);
            }
            if (at.target == at || hops == MAX_ALIASES) {
                return Result.CIRCLE;
            }
            if (at.target == null) {
                return Result.ALIAS;
            }
            at = at.target;
            if (at.cut != null && !isAnsweredAbove(at, query)) {
                // What a DNAME above has to say is for the target's name, not for the question's.
                return at.cut.find(DnsType.NS) == null || at.cut == apex ? Result.ALIAS : leave(at.cut, query, answer);
            }
        }
        return data(at, at == source, made, query, answer);
    }

    private Result data(ZoneNode at, boolean forQuestion, boolean made, QueryView query, Answer answer) {
        int type = query.type();
        if (type == DnsType.RRSIG && addSignatures(at, forQuestion, answer)) {
            return Result.FOUND;
        }
        // One set is enough of an answer to ANY (RFC 8482 section 4.1).
        ZoneSet found = type == DnsType.ANY && !at.isEmpty() ? at.sets[0] : at.find(type);
        if (found == null) {
            return noData(at, made && forQuestion, query, answer);
        }
        addAnswer(answer, found, forQuestion, query);
        if (found != servers) {
            add(answer, Section.AUTHORITY, servers, query.dnssecOk());
        }
        if (made && forQuestion) {
            proveExpansion(query, answer);
        }
        addAdditional(found, query, answer);
        return Result.FOUND;
    }

    private static boolean addSignatures(ZoneNode at, boolean forQuestion, Answer answer) {
        for (ZoneSet set : at.sets) {
            if (set.signatures != null) {
                addOne(answer, set.signatures, forQuestion);
            }
        }
        for (RrSet stray : at.strays) {
            addOne(answer, stray, forQuestion);
        }
        return answer.has(Section.ANSWER);
    }

    private Result noData(ZoneNode at, boolean made, QueryView query, Answer answer) {
        addNegativeSoa(query, answer);
        if (query.dnssecOk() && deniers.length > 0) {
            ZoneNode proof = at.nsec != null ? at : denial(at.owner);
            addProof(proof, answer);
            if (made) {
                proveExpansion(query, answer, proof);
            }
        }
        return at.isEmpty() && !made ? Result.EMPTY_NAME : Result.NO_DATA;
    }

    private Result noName(ZoneNode encloser, QueryView query, Answer answer) {
        answer.rcode(Rcode.NXDOMAIN);
        addNegativeSoa(query, answer);
        if (query.dnssecOk() && deniers.length > 0) {
            ZoneNode proof = denierOf(CanonicalOrder.key(query.name(), query.nameLength()));
            addProof(proof, answer);
            if (encloser.wildcardDenial != proof) {
                addProof(encloser.wildcardDenial, answer);
            }
        }
        return Result.NO_NAME;
    }

    /** Adds the SOA by which an answer of nothing may be kept (RFC 2308 section 3). */
    public void addNegativeSoa(QueryView query, Answer answer) {
        answer.add(Section.AUTHORITY, soa.records).overrideTtl(negativeTtl);
        if (query.dnssecOk() && soa.signatures != null) {
            answer.add(Section.AUTHORITY, soa.signatures).overrideTtl(negativeTtl);
        }
    }

    /** Adds the zone's name servers, which go with an answer. */
    public void addServers(QueryView query, Answer answer) {
        add(answer, Section.AUTHORITY, servers, query.dnssecOk());
    }

    /** Where the last alias of an answer leads. */
    public static WireName aliasTarget(Answer answer) {
        for (int i = answer.size() - 1; i >= 0; i--) {
            RrSet set = answer.part(i).set();
            if (set.type() == DnsType.CNAME && answer.part(i).section() == Section.ANSWER) {
                byte[] name = set.data(0);
                return WireName.of(name, 0, name.length);
            }
        }
        throw new IllegalStateException("there is no alias in the answer");
    }

    /** Proves that no name stands between a wildcard and the question's (RFC 4035 section 3.1.3.3). */
    private void proveExpansion(QueryView query, Answer answer) {
        if (query.dnssecOk() && deniers.length > 0) {
            proveExpansion(query, answer, null);
        }
    }

    private void proveExpansion(QueryView query, Answer answer, @Nullable ZoneNode given) {
        ZoneNode proof = denierOf(CanonicalOrder.key(query.name(), query.nameLength()));
        if (proof != given) {
            addProof(proof, answer);
        }
    }

    private @Nullable ZoneNode denial(WireName name) {
        return deniers.length == 0 ? null : denierOf(CanonicalOrder.key(name));
    }

    /** The name whose NSEC covers a name that does not exist. */
    @Nullable ZoneNode denial(byte[] name) {
        return deniers.length == 0 ? null : denierOf(CanonicalOrder.key(name, name.length));
    }

    private ZoneNode denierOf(byte[] key) {
        int found = Arrays.binarySearch(denierKeys, key, Arrays::compareUnsigned);
        return deniers[Math.max(0, found >= 0 ? found : -found - 2)];
    }

    private static void addProof(@Nullable ZoneNode proof, Answer answer) {
        if (proof != null) {
            add(answer, Section.AUTHORITY, proof.nsec, true);
        }
    }

    private static void addAdditional(ZoneSet of, QueryView query, Answer answer) {
        for (ZoneSet set : of.additional) {
            add(answer, Section.ADDITIONAL, set, query.dnssecOk());
        }
    }

    private static void add(Answer answer, Section section, @Nullable ZoneSet set, boolean signed) {
        if (set == null) {
            return;
        }
        answer.add(section, set.records);
        if (signed && set.signatures != null) {
            answer.add(section, set.signatures);
        }
    }

    private static void addAnswer(Answer answer, ZoneSet set, boolean forQuestion, QueryView query) {
        addOne(answer, set.records, forQuestion);
        if (query.dnssecOk() && set.signatures != null) {
            addOne(answer, set.signatures, forQuestion);
        }
    }

    private static void addOne(Answer answer, RrSet set, boolean forQuestion) {
        if (forQuestion) {
            answer.addForQuestion(set);
        } else {
            answer.add(Section.ANSWER, set);
        }
    }
}
