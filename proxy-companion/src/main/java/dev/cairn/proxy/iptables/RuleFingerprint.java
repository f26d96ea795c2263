package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import dev.cairn.proxy.netlink.NftGeneration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something short that is another when somebody has changed rules of iptables, whoever it was. */
public final class RuleFingerprint {
    private RuleFingerprint() {}

    /** For iptables in nftables; null if the kernel does not tell. */
    public static @Nullable String ofNft() {
        try (NetlinkSocket socket = new NetlinkSocket(NetlinkSocket.NETFILTER)) {
            return Integer.toString(NftGeneration.read(socket));
        } catch (NetlinkException _) {
            return null;
        }
    }

    /** For those of the legacy kind. A rule that is replaced by one of the same size is not seen. */
    public static String ofLegacy() {
        List<String> infos = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            for (Table table : Table.values()) {
                infos.add(String.valueOf(LegacyTables.info(family, table)));
            }
        }
        return String.join(" ", infos);
    }
}
