package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kernel that this process runs on, in its network namespace. */
final class OwnKernel implements KernelFacts {
    private static final Path LIBERAL = Path.of("/proc/sys/net/netfilter/nf_conntrack_tcp_be_liberal");
    private static final Path ROUTE_LOCALNET = Path.of("/proc/sys/net/ipv4/conf/all/route_localnet");

    @Override
    public boolean isLiberal() {
        try {
            return !Files.readString(LIBERAL).strip().equals("0");
        } catch (IOException _) {
            return false;   // there is no connection tracker before the first rule needs it, and a new one is strict
        }
    }

    @Override
    public void routeLoopback() throws ApplyFailure {
        try {
            if (!Files.readString(ROUTE_LOCALNET).strip().equals("1")) {
                Files.writeString(ROUTE_LOCALNET, "1");
            }
        } catch (IOException e) {
            throw new ApplyFailure("cannot set net.ipv4.conf.all.route_localnet, which node ports at 127.0.0.1 need (" + e.getMessage()
                    + "): set it to 1, or give --iptables-localhost-nodeports=false", false);
        }
    }

    @Override
    public @Nullable String fingerprint(Variant variant) {
        return switch (variant) {
            case LEGACY -> legacy();
            case NFT, PLAIN -> null;
        };
    }

    private static String legacy() {
        List<String> infos = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            for (Table table : Table.values()) {
                infos.add(String.valueOf(LegacyTables.info(family, table)));
            }
        }
        return String.join(" ", infos);
    }
}
