package dev.cairn.plugin.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A zone of random names below {@code example.org}, with wildcards, delegations, aliases and holes; the same for the same seed. */
final class RandomZone {
    private static final String[] LABELS = {"a", "b", "c", "d", "*", "x-1", "_tcp"};

    private final Random random;
    private final boolean starsInside;
    private final List<String> names = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    /** @param starsInside whether there are names below wildcards */
    RandomZone(long seed, boolean starsInside) {
        random = new Random(seed);
        this.starsInside = starsInside;
        lines.add("example.org. 3600 IN SOA ns.example.org. admin.example.org. 7 7200 3600 1209600 300");
        lines.add("example.org. 3600 IN NS ns.example.org.");
        lines.add("ns.example.org. 3600 IN A 192.0.2.53");
        lines.add("target.example.org. 60 IN A 192.0.2.54");
        lines.add("target.example.org. 60 IN AAAA 2001:db8::54");
        lines.add("chain.example.org. 60 IN CNAME target.example.org.");
        lines.add("moved.example.org. 60 IN DNAME new.example.org.");
        lines.add("w.new.example.org. 60 IN A 192.0.2.55");
        names.addAll(List.of("target", "chain", "moved", "w.moved", "z.moved", "w.new", "ns"));
        for (int i = 0; i < 25; i++) {
            addName(name(1 + random.nextInt(3)));
        }
    }

    private String name(int labels) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < labels; i++) {
            String label = LABELS[random.nextInt(LABELS.length)];
            name.append(i == 0 ? "" : ".").append(i > 0 && !starsInside && label.equals("*") ? "s" : label);
        }
        return name.toString();
    }

    private void addName(String name) {
        if (names.contains(name)) {
            return;
        }
        names.add(name);
        String owner = name + ".example.org. 60 IN ";
        switch (random.nextInt(name.contains("*") ? 5 : 7)) {
            case 0 -> lines.add(owner + "A 192.0.2." + random.nextInt(200));
            case 1 -> {
                lines.add(owner + "AAAA 2001:db8::" + random.nextInt(200));
                lines.add(owner + "TXT \"" + name + "\"");
            }
            case 2 -> lines.add(owner + "MX 10 target.example.org.");
            case 3 -> lines.add(owner + "CNAME " + (random.nextBoolean() ? "chain.example.org." : "www.example.net."));
            case 4 -> lines.add(owner + "SRV 0 1 80 chain.example.org.");
            default -> {
                lines.add(owner + "NS ns1." + name + ".example.org.");
                lines.add(owner + "NS ns.example.org.");
                lines.add("ns1." + name + ".example.org. 60 IN A 192.0.2.77");
                if (random.nextBoolean()) {
                    lines.add(owner + "DS 12345 8 2 " + "ab".repeat(32));
                }
            }
        }
    }

    String text() {
        return String.join("\n", lines) + "\n";
    }

    /** A name that is in the zone, or near one that is. */
    String question() {
        String name = switch (random.nextInt(4)) {
            case 0 -> names.get(random.nextInt(names.size()));
            case 1 -> LABELS[random.nextInt(LABELS.length)] + "." + names.get(random.nextInt(names.size()));
            case 2 -> parent(names.get(random.nextInt(names.size())));
            default -> name(1 + random.nextInt(4));
        };
        return name.isEmpty() ? "example.org." : name + ".example.org.";
    }

    private static String parent(String name) {
        return name.contains(".") ? name.substring(name.indexOf('.') + 1) : "";
    }

    <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
