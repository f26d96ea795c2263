package dev.cairn.proxy.iptables;

import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.sync.ApplyFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The kernel that this process runs on, in its network namespace. */
final class OwnKernel implements KernelFacts {
    private static final Path LIBERAL = Path.of("/proc/sys/net/netfilter/nf_conntrack_tcp_be_liberal");

    private final boolean liberal;
    private final boolean localhost;
    private @Nullable Boolean counting;

    /** The kernel as it is now, but for a connection tracker that is yet to be set. */
    OwnKernel(boolean liberal, boolean localhost) {
        this.liberal = liberal || isSet();
        this.localhost = localhost;
    }

    private static boolean isSet() {
        try {
            return !Files.readString(LIBERAL).strip().equals("0");
        } catch (IOException _) {
            return false;   // there is no connection tracker before the first rule needs it, and a new one is strict
        }
    }

    @Override
    public boolean isLiberal() {
        return liberal;
    }

    @Override
    public boolean countsPackets() {
        Boolean known = counting;
        if (known == null) {
            try {
                known = PacketCounters.read() != null;
            } catch (NetlinkException _) {
                known = false;
            }
            counting = known;
        }
        return known;
    }

    @Override
    public void makeCounter(String name) throws ApplyFailure {
        try {
            PacketCounters.make(name);
        } catch (NetlinkException e) {
            throw new ApplyFailure(String.valueOf(e.getMessage()), false);
        }
    }

    /** Packets from 127.0.0.1 to its node ports leave by other interfaces. */
    @Override
    public Map<String, String> sysctls() {
        return localhost ? Map.of("net/ipv4/conf/all/route_localnet", "1") : Map.of();
    }

    @Override
    public Map<String, Long> counts() {
        try {
            return PacketCounters.read();
        } catch (NetlinkException _) {
            return Map.of();
        }
    }

    @Override
    public @Nullable String fingerprint(Variant variant) {
        return switch (variant) {
            case LEGACY -> RuleFingerprint.ofLegacy();
            case NFT -> RuleFingerprint.ofNft();
            case PLAIN -> null;
        };
    }
}
