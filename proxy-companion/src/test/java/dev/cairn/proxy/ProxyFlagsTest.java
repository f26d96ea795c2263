package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The short way to read a command line comes to the same as the long one. */
class ProxyFlagsTest {
    private final ProxyFlags flags = new ProxyFlags();

    @ParameterizedTest
    @ValueSource(strings = {
        "",
        "--config=/var/lib/kube-proxy/config.conf --hostname-override=node-1",
        "--config config.conf",
        "--kubeconfig k --proxy-mode nftables --hostname-override node-0 --cluster-cidr 10.128.0.0/9",
        "--mode=ipvs --iptables-masquerade-bit 12 --ipvs-strict-arp --masquerade-all=false",
        "--masquerade-all --conntrack-min=0 --v=4",
        "-v 2 --logging-format json --vmodule=a=1",
        "-v=4 --logging-format=text",
        "--profiling --feature-gates A=true,B=false --iptables-sync-period=30s --bind-address-hard-fail=false",
        "--oom-score-adj=-998 --bind-address 0.0.0.0 --kube-api-qps 5"
    })
    void plain_lines_are_read_as_picocli_reads_them(String line) {
        ProxyFlags expected = new ProxyFlags();
        CommandLine command = new CommandLine(expected);
        expected.addSettings(command.getCommandSpec());
        command.parseArgs(words(line));
        assertThat(flags.readPlain(words(line))).isTrue();
        assertThat(flags).usingRecursiveComparison().isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "--config",
        "--config=",
        "--config a --config b",
        "--proxy-mode ipvs --mode nftables",
        "--proxy-mode",
        "--proxy-mode --masquerade-all",
        "--masquerade-all false",
        "--profiling false",
        "--oom-score-adj -998",
        "--masquerade-all=",
        "--config @file",
        "--manifests DIR",
        "--strict-mode",
        "--v",
        "--once",
        "--dry-run",
        "--help",
        "plan",
        "plan --config a",
        "--unknown x"
    })
    void anything_else_is_left_to_picocli(String line) {
        assertThat(flags.readPlain(words(line))).isFalse();
    }

    private static String[] words(String line) {
        return line.isEmpty() ? new String[0] : line.split(" ", -1);
    }
}
