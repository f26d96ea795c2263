package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.log.Log;
import dev.cairn.proxy.plan.Outcome;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Programs plans as iptables, in the chains that kube-proxy has. The first time, and after a failure, it reads back what the kernel has and
 * writes the chains that differ; from then on the chains of services that changed. Used by one thread.
 */
public final class IptablesBackend implements Backend {
    /** For so many times the time that an audit took, none is asked for: with many rules others may change theirs all the time. */
    private static final int REST = 20;
    private static final String UNKNOWN = "";
    private static final Log LOG = Log.server();

    private final IptablesRunner runner;
    private final KernelFacts kernel;
    private final List<IpFamily> families;
    private final int masqueradeBit;
    private @Nullable Variant variant;
    private List<FamilyRules> rules = List.of();
    private long written;
    private @Nullable String fingerprint;
    private long restUntil = System.nanoTime();
    /** Whether all is done that is done once: before the first rules, and after them. */
    private boolean prepared;
    private boolean alone;

    IptablesBackend(IptablesRunner runner, KernelFacts kernel, Set<IpFamily> families, int masqueradeBit, @Nullable Variant variant) {
        this.runner = runner;
        this.kernel = kernel;
        this.families = families.stream().sorted().toList();
        this.masqueradeBit = masqueradeBit;
        this.variant = variant;
    }

    /**
     * A backend that runs {@code iptables-restore}.
     *
     * @param masqueradeBit the bit of the packet mark that stands for packets to be masqueraded
     * @param variant {@code nft}, {@code legacy}, {@code plain}, or {@code auto} for the one that the machine uses
     * @param liberal whether the connection tracker is to take packets that are out of the window as valid
     * @param localhost whether node ports are to be found at 127.0.0.1
     */
    public static IptablesBackend of(Set<IpFamily> families, int masqueradeBit, String variant, boolean liberal, boolean localhost) {
        return new IptablesBackend(new IptablesRunner(), new OwnKernel(liberal, localhost), families, masqueradeBit, forced(variant));
    }

    private static @Nullable Variant forced(String variant) {
        return variant.equals("auto") ? null : Variant.valueOf(variant.toUpperCase(Locale.ROOT));
    }

    /** The chain that leads packets on, where there are endpoints. */
    public static String where(Outcome.Match match) {
        PortPlan port = match.port();
        String prefix = port.isFiltered(match.frontend()) ? "KUBE-FW-" : match.frontend().isExternal() ? "KUBE-EXT-"
                : port.internalLocal() ? "KUBE-SVL-" : "KUBE-SVC-";
        return "chain " + Chain.ofService(prefix, Chain.portName(match.service().toString(), port.name()), port.protocol()).name() + " of table nat";
    }

    /** Why this machine cannot do it, in one line; null if it can. Changes nothing. */
    public static @Nullable String probe(Set<IpFamily> families, String variant) {
        return probe(new IptablesRunner(), families, forced(variant));
    }

    static @Nullable String probe(IptablesRunner runner, Set<IpFamily> families, @Nullable Variant forced) {
        try {
            Variant variant = forced == null ? new VariantChoice(runner, families).choose() : forced;
            IpFamily family = families.stream().sorted().findFirst().orElse(IpFamily.IPV4);
            runner.test(variant, family, new Probe(family).script());
            runner.list(variant, family);
            return runner.hasNat(variant, family) ? null : "this kernel has no table nat for " + variant.program(family, "restore");
        } catch (ApplyFailure e) {
            return e.getMessage();
        }
    }

    /** Finds out what to use, once. */
    private Variant variant() throws ApplyFailure {
        Variant chosen = variant;
        if (chosen == null) {
            chosen = new VariantChoice(runner, families).choose();
            LOG.info("using " + chosen.program(IpFamily.IPV4, "restore"));
            variant = chosen;
        }
        return chosen;
    }

    private List<FamilyRules> rules() throws ApplyFailure {
        if (rules.isEmpty()) {
            Variant chosen = variant();
            List<FamilyRules> able = new ArrayList<>();
            for (IpFamily family : families) {
                if (family == IpFamily.IPV4 || runner.hasNat(chosen, family)) {
                    able.add(new FamilyRules(family, new Programs(chosen)));
                } else {
                    LOG.warning("services of IPv6 are left out, since this kernel has no table nat for "
                            + chosen.program(family, "restore"));
                }
            }
            rules = List.copyOf(able);
        }
        return rules;
    }

    /** The programs of a kind of iptables. */
    private final class Programs implements FamilyRules.Kernel {
        private final Variant variant;

        Programs(Variant variant) {
            this.variant = variant;
        }

        @Override
        public Listing list(IpFamily family) throws ApplyFailure {
            return runner.list(variant, family);
        }

        @Override
        public void restore(IpFamily family, RestoreScript script) throws ApplyFailure {
            runner.restore(variant, family, script);
            written += script.size();
        }
    }

    private @Nullable String fingerprint() throws ApplyFailure {
        return kernel.fingerprint(runner.kind(variant()));
    }

    private Layout layout(IpFamily family, Desired desired) {
        return Layout.of(family, desired, masqueradeBit, kernel);
    }

    @Override
    public void apply(Desired desired, Set<ServiceName> changed) throws ApplyFailure {
        List<FamilyRules> all = rules();
        if (!prepared && kernel.countsPackets()) {
            kernel.makeCounter(Layout.INVALID_COUNTER);
            kernel.makeCounter(Layout.LOCALHOST_COUNTER);
        }
        prepared = true;
        boolean everything = false;
        for (FamilyRules family : all) {
            everything |= family.apply(layout(family.family(), desired), desired.plans(), changed);
        }
        // What others change while much is written would be taken for ours, so it is looked at once more.
        fingerprint = everything ? UNKNOWN : fingerprint();
        if (!alone) {
            removeOther();
            alone = true;
        }
    }

    /** A proxy that ran before may have used the other kind of iptables. Now that our rules are in, its rules are in the way. */
    private void removeOther() throws ApplyFailure {
        Variant other = runner.kind(variant()) == Variant.NFT ? Variant.LEGACY : Variant.NFT;
        try {
            new CleanUp(runner).run(other, families).forEach(some -> LOG.info("removed " + some));
        } catch (ApplyFailure e) {
            LOG.warning("rules of another proxy may be in the way: " + e.getMessage());
        }
    }

    @Override
    public long written() {
        return written;
    }

    @Override
    public Audit audit(Desired desired) throws ApplyFailure {
        long begun = System.nanoTime();
        String before = fingerprint();
        Audit audit = Audit.CLEAN;
        for (FamilyRules family : rules()) {
            audit = audit.and(family.audit(layout(family.family(), desired), desired.plans()));
        }
        fingerprint = before;
        restUntil = System.nanoTime() + REST * (System.nanoTime() - begun);
        return audit;
    }

    @Override
    public boolean isDisturbed() throws ApplyFailure {
        return System.nanoTime() - restUntil >= 0 && !Objects.equals(fingerprint, fingerprint());
    }

    @Override
    public Map<String, String> sysctls() {
        return kernel.sysctls();
    }

    @Override
    public String metrics() {
        Map<String, Long> counts = kernel.counts();
        StringBuilder text = new StringBuilder();
        metric(text, "ct_state_invalid_dropped", "Packets that were dropped since they belong to no connection.",
                counts.get(Layout.INVALID_COUNTER));
        metric(text, "localhost_nodeports_accepted", "Packets to node ports at 127.0.0.1.", counts.get(Layout.LOCALHOST_COUNTER));
        return text.toString();
    }

    private static void metric(StringBuilder text, String name, String help, @Nullable Long value) {
        if (value != null) {
            String full = "kubeproxy_iptables_" + name + "_packets_total";
            text.append("# HELP ").append(full).append(' ').append(help).append("\n# TYPE ").append(full).append(" counter\n")
                    .append(full).append(' ').append(value).append('\n');
        }
    }

    @Override
    public String render(Desired desired) {
        StringBuilder all = new StringBuilder();
        for (IpFamily family : families) {
            if (kernel.countsPackets()) {
                all.append("# nfacct add ").append(Layout.INVALID_COUNTER)
                        .append("; nfacct add ").append(Layout.LOCALHOST_COUNTER).append('\n');
            }
            all.append("# ").append(Variant.PLAIN.program(family, "restore")).append(" -w 5 --noflush\n");
            Ruleset shall = Ruleset.of(layout(family, desired), desired.plans().values());
            all.append(new Difference(Listing.parse(""), shall, new Difference.Spelling()).script().text());
        }
        return all.toString();
    }

    @Override
    public List<String> cleanUp() throws ApplyFailure {
        List<String> removed = new CleanUp(runner).run(families);
        rules.forEach(FamilyRules::doubt);
        return removed;
    }
}
