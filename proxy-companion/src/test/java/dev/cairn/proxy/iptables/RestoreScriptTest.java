package dev.cairn.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RestoreScriptTest {
    private static final Chain ENDPOINT = new Chain(Table.NAT, "KUBE-SEP-A");
    private static final Chain SERVICE = new Chain(Table.NAT, "KUBE-SVC-A");

    private final RestoreScript script = new RestoreScript();

    private void fill() {
        script.replace(ENDPOINT, List.of("-j DNAT --to-destination 10.0.0.1:80"));
        script.replace(SERVICE, List.of("-j KUBE-SEP-A"));
        script.remove(Chain.NAT_SERVICES, "-j OLD");
        script.insert(Chain.NAT_SERVICES, 1, "-j KUBE-SVC-A");
        script.append(Chain.SERVICES, "-j DROP");
        script.delete(new Chain(Table.NAT, "KUBE-SEP-B"));
        script.delete(new Chain(Table.NAT, "KUBE-SVC-B"));
    }

    @Test
    void one_run_does_everything() {
        fill();
        assertThat(script.text().lines()).containsExactly(
                "*filter", "-A KUBE-SERVICES -j DROP", "COMMIT",
                "*nat", ":KUBE-SEP-A - [0:0]", ":KUBE-SVC-A - [0:0]", ":KUBE-SVC-B - [0:0]", ":KUBE-SEP-B - [0:0]",
                "-D KUBE-SERVICES -j OLD", "-A KUBE-SEP-A -j DNAT --to-destination 10.0.0.1:80", "-A KUBE-SVC-A -j KUBE-SEP-A",
                "-I KUBE-SERVICES 1 -j KUBE-SVC-A", "-X KUBE-SVC-B", "-X KUBE-SEP-B", "COMMIT");
        assertThat(script.texts(4)).containsExactly(script.text());
    }

    @Test
    void in_parts_nothing_leads_to_what_is_not_there() {
        fill();
        assertThat(script.texts(1)).containsExactly(
                "*nat\n:KUBE-SEP-A - [0:0]\n-A KUBE-SEP-A -j DNAT --to-destination 10.0.0.1:80\nCOMMIT\n",
                "*nat\n:KUBE-SVC-A - [0:0]\n-A KUBE-SVC-A -j KUBE-SEP-A\nCOMMIT\n",
                "*filter\n-A KUBE-SERVICES -j DROP\nCOMMIT\n*nat\n-D KUBE-SERVICES -j OLD\n-I KUBE-SERVICES 1 -j KUBE-SVC-A\nCOMMIT\n",
                "*nat\n:KUBE-SVC-B - [0:0]\n-X KUBE-SVC-B\nCOMMIT\n",
                "*nat\n:KUBE-SEP-B - [0:0]\n-X KUBE-SEP-B\nCOMMIT\n");
    }

    @Test
    void nothing_is_empty() {
        assertThat(script.isEmpty()).isTrue();
        assertThat(script.text()).isEmpty();
        fill();
        assertThat(script.isEmpty()).isFalse();
    }
}
