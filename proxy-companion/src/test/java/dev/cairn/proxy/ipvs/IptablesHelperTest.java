package dev.cairn.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IptablesHelperTest {
    private final HelperRules rules = HelperRules.of(Set.of(IpFamily.IPV4),
            new TrafficOptions(false, LocalDetector.none(), NodePortAddresses.ALL, List.of(), false, false), 14);
    private String saved = "";

    /** One that has taken the rules, and spells them as they were given. */
    private final Tool tool = new Tool() {
        @Override
        Answer run(List<String> command, String input) {
            return switch (command.getFirst()) {
                case "ipset" -> new Answer(0, Stream.of(HelperSet.values()).map(set -> IptablesHelper.name(set, IpFamily.IPV4)).collect(Collectors.joining("\n")));
                case "iptables-save" -> new Answer(0, saved);
                case "iptables-restore" -> {
                    saved = input.replaceAll("-I (\\w+) 1 -j", "-A $1 -j");
                    yield new Answer(0, "");
                }
                default -> new Answer(MISSING, "");
            };
        }
    };

    @Test
    void a_rule_that_was_replaced_is_named() throws ApplyFailure {
        IptablesHelper helper = new IptablesHelper(tool, (_, _) -> {}, new SetSizes(new ElementWriter.Sockets()));
        helper.load(rules);
        assertThat(helper.missing(rules)).isEmpty();
        saved = saved.replace("-j MASQUERADE --random-fully", "-j ACCEPT");
        assertThat(helper.missing(rules)).containsExactly(
                "iptables: chain CAIRN-IPVS-MASQUERADE has another rule in the place of -A CAIRN-IPVS-MASQUERADE -j MASQUERADE --random-fully");
        saved = saved.replace("-A CAIRN-IPVS-MASQUERADE -j ACCEPT\n", "");
        assertThat(helper.missing(rules)).containsExactly("iptables: chain CAIRN-IPVS-MASQUERADE has 3 rules instead of 4");
    }
}
