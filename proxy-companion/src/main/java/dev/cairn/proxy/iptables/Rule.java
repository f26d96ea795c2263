package dev.cairn.proxy.iptables;

import dev.cairn.facts.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a rule, without the chain it is in, exactly as {@code iptables-save} prints it. */
final class Rule {
    private String source = "";
    private String destination = "";
    private String device = "";
    private String protocol = "";
    private final List<String> matches = new ArrayList<>();
    private String ports = "";

    private Rule() {}

    static Rule rule() {
        return new Rule();
    }

    /** With {@code ADDRESS/PREFIX}, or {@code !} before it. */
    Rule from(String range) {
        source = option("-s", range);
        return this;
    }

    Rule to(String range) {
        destination = option("-d", range);
        return this;
    }

    Rule through(String name) {
        device = option("-i", name);
        return this;
    }

    private static String option(String letter, String value) {
        return value.startsWith("! ") ? "! " + letter + value.substring(1) : letter + " " + value;
    }

    Rule protocol(Protocol of) {
        protocol = "-p " + of.label();
        ports = "-m " + of.label();
        return this;
    }

    Rule port(Protocol of, int number) {
        protocol(of);
        ports += " --dport " + number;
        return this;
    }

    Rule comment(String text) {
        return match("-m comment --comment \"" + text + "\"");
    }

    Rule match(String text) {
        if (!text.isEmpty()) {
            matches.add(text);
        }
        return this;
    }

    /** Takes the i-th of n that are left with a chance of 1/n. */
    Rule oneOf(int n) {
        return match("-m statistic --mode random --probability " + probability(n));
    }

    static String probability(int n) {
        return String.format(Locale.ROOT, "%.10f", 1.0 / n);
    }

    String jump(String target) {
        List<String> words = new ArrayList<>(List.of(source, destination, device, protocol));
        words.addAll(matches);
        words.add(ports);
        words.add(target.isEmpty() ? "" : "-j " + target);
        words.removeIf(String::isEmpty);
        return String.join(" ", words);
    }
}
