package dev.cairn.proxy.ipvs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of the kernel that go with IPVS, as kube-proxy has them. */
final class Sysctls {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    private Sysctls() {}

    /** The settings for a kernel, by their names under /proc/sys. */
    static Map<String, String> wanted(boolean strictArp, String kernel) {
        Map<String, String> wanted = new LinkedHashMap<>();
        // Connections are tracked, so that they can be masqueraded.
        wanted.put("net/ipv4/vs/conntrack", "1");
        if (isBefore(kernel, 5, 9)) {
            // There, a connection from a port that was used before would wait for a second. Later kernels do well by themselves.
            wanted.put("net/ipv4/vs/conn_reuse_mode", "0");
        }
        wanted.put("net/ipv4/vs/expire_nodest_conn", "1");
        wanted.put("net/ipv4/vs/expire_quiescent_template", "1");
        wanted.put("net/ipv4/ip_forward", "1");
        if (strictArp) {
            wanted.put("net/ipv4/conf/all/arp_ignore", "1");
            wanted.put("net/ipv4/conf/all/arp_announce", "2");
        }
        return wanted;
    }

    static boolean isBefore(String kernel, int major, int minor) {
        Matcher version = VERSION.matcher(kernel);
        if (!version.matches()) {
            return false;
        }
        int first = Integer.parseInt(version.group(1));
        return first < major || (first == major && Integer.parseInt(version.group(2)) < minor);
    }

    static String kernel() {
        return System.getProperty("os.version", "");
    }
}
