package dev.cairn.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What is removed and what stays, on a node without services. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
@ParameterizedClass
@EnumSource(value = Variant.class, names = {"NFT", "LEGACY"})
class IptablesCleanUpTest {
    private static final Backend.Desired NOTHING = new Backend.Desired(Map.of(), NodeView.UNKNOWN,
            new TrafficOptions(false, LocalDetector.none(), NodePortAddresses.ALL, List.of(), false, true));

    private final Variant variant;
    private final Testbed testbed = new Testbed();
    private final IptablesRunner runner = new IptablesRunner(testbed.inside(Testbed.NODE, List.of()));
    private final IptablesBackend backend;

    IptablesCleanUpTest(Variant variant) {
        this.variant = variant;
        backend = NodeBackend.of(testbed, runner, variant);
    }

    @AfterEach
    void tearDown() {
        testbed.close();
    }

    private void iptables(String arguments) {
        List<String> words = new ArrayList<>(List.of(variant.program(IpFamily.IPV4, "restore").replace("-restore", ""), "-w"));
        words.addAll(List.of(arguments.split(" ", -1)));
        Testbed.run(testbed.inside(Testbed.NODE, words));
    }

    @Test
    void chains_that_kube_proxy_has_beside_virtual_servers_go() throws ApplyFailure {
        iptables("-t filter -N KUBE-IPVS-FILTER");
        iptables("-t filter -N KUBE-NODE-PORT");
        iptables("-t filter -A KUBE-IPVS-FILTER -j RETURN");
        iptables("-t filter -A INPUT -j KUBE-IPVS-FILTER");
        backend.apply(NOTHING, Set.of());
        assertThat(runner.list(variant, IpFamily.IPV4).chains().keySet()).contains(Chain.NAT_SERVICES).noneMatch(Chain::isIpvs);
        assertThat(backend.audit(NOTHING)).isEqualTo(Audit.CLEAN);
    }

    @Test
    void what_is_the_kubelets_stays() throws ApplyFailure {
        backend.apply(NOTHING, Set.of());
        iptables("-t mangle -N KUBE-KUBELET-CANARY");
        assertThat(backend.cleanUp()).hasSize(2).first().asString()
                .endsWith(" of " + variant.program(IpFamily.IPV4, "restore").replace("-restore", ""));
        Listing left = runner.list(variant, IpFamily.IPV4);
        assertThat(left.chains()).isEmpty();
        assertThat(left.others()).containsKeys(Chain.KUBELET_FIREWALL, new Chain(Table.MANGLE, "KUBE-KUBELET-CANARY"));
        assertThat(backend.cleanUp()).as("the second time").isEmpty();
        assertThat(new VariantChoice(runner, List.of(IpFamily.values())).choose()).as("which has the kubelet's sign").isEqualTo(variant);
    }

    @Test
    void what_others_lead_to_is_emptied_and_stays() throws ApplyFailure {
        backend.apply(NOTHING, Set.of());
        iptables("-t nat -N THEIRS");
        iptables("-t nat -A THEIRS -j KUBE-MARK-MASQ");
        assertThat(backend.cleanUp()).hasSize(2);
        assertThat(runner.list(variant, IpFamily.IPV4).chains()).isEqualTo(Map.of(new Chain(Table.NAT, Chain.MARK_MASQ), List.of()));
        assertThat(backend.cleanUp()).as("the second time").isEmpty();
    }

    @Test
    void of_no_rules_at_all_the_kind_of_nftables_is_chosen_and_else_the_one_with_more() throws ApplyFailure {
        VariantChoice choice = new VariantChoice(runner, List.of(IpFamily.values()));
        assertThat(choice.choose()).isEqualTo(Variant.NFT);
        iptables("-A INPUT -s 192.0.2.1 -j DROP");
        assertThat(choice.choose()).isEqualTo(variant);
    }

    @Test
    void this_kernel_can_do_it_and_asking_leaves_nothing() throws ApplyFailure {
        assertThat(IptablesBackend.probe(runner, Set.of(IpFamily.values()), variant)).isNull();
        assertThat(runner.list(variant, IpFamily.IPV4).chains()).isEmpty();
    }
}
