package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the kernel itself prints of IPVS in /proc/net/ip_vs, beside the netlink that we read it by. */
final class VirtualServerList {
    private VirtualServerList() {}

    /** {@code TCP 10.96.0.1:80 rr}, and {@code persistent} if it is, with {@code 10.180.0.1:8080 1} for each real server and its weight. */
    static Map<String, List<String>> read() {
        Map<String, List<String>> servers = new TreeMap<>();
        List<String> reals = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(Path.of("/proc/net/ip_vs")).stream().skip(3).toList()) {
                String[] words = line.strip().split("\\s+", -1);
                if (words[0].equals("->")) {
                    reals.add(place(words[1]) + " " + words[3]);
                    reals.sort(null);
                } else {
                    reals = new ArrayList<>();
                    String sticky = List.of(words).contains("persistent") ? " persistent" : "";
                    servers.put(words[0] + " " + place(words[1]) + " " + words[2] + sticky, reals);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return servers;
    }

    private static String place(String text) {
        int colon = text.lastIndexOf(':');
        int port = Integer.parseInt(text.substring(colon + 1), 16);
        String address = text.substring(0, colon);
        return address.startsWith("[") ? "[" + Address.parse(address.replaceAll("[\\[\\]]", "")) + "]:" + port
                : Address.of(HexFormat.of().parseHex(address)) + ":" + port;
    }
}
