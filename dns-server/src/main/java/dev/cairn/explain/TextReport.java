package dev.cairn.explain;

import dev.cairn.explain.Explanation.Heard;
import dev.cairn.explain.Explanation.Try;
import java.util.ArrayList;
import java.util.List;

/** An explanation for people. */
public final class TextReport {
    private final Explanation explanation;
    private final List<String> lines = new ArrayList<>();

    private TextReport(Explanation explanation) {
        this.explanation = explanation;
    }

    /** The lines of an explanation. */
    public static List<String> of(Explanation explanation) {
        return new TextReport(explanation).lines();
    }

    private List<String> lines() {
        Try deciding = explanation.deciding();
        boolean answered = explanation.isAnswered();
        String headline = answered ? "answered" + withoutAddress(deciding) : "no answer";
        lines.add(explanation.name() + ": " + headline + " for " + explanation.client().text());
        if (!answered && !deciding.finding().why().isEmpty()) {
            lines.add("  " + deciding.finding().why().getFirst());
        }
        explanation.notes().forEach(note -> lines.add("  note: " + note));
        tries();
        if (answered) {
            section("Answer", deciding.reply().rows());
            section("Why", why(deciding));
        } else {
            section("Objects", deciding.finding().objects().stream().map(Object::toString).toList());
        }
        deciding.legs().forEach(this::leg);
        server();
        connections();
        return lines;
    }

    /** An external name may lead nowhere. */
    private static String withoutAddress(Try one) {
        boolean asked = one.type().equals("A") || one.type().equals("AAAA");
        return asked && one.reply().rows().stream().noneMatch(row -> row.contains(" IN " + one.type() + " ")) ? " without an address" : "";
    }

    private void section(String title, List<String> content) {
        if (!content.isEmpty()) {
            lines.add("");
            lines.add(title);
            content.forEach(line -> lines.add("  " + line));
        }
    }

    private void tries() {
        ResolvConf conf = explanation.client().conf();
        List<String> content = new ArrayList<>();
        for (Try one : explanation.tries()) {
            content.add(one.name() + " " + one.type() + ": " + one.reply().result());
            if (!one.reply().answers()) {
                one.finding().why().forEach(line -> content.add("  " + line));
            }
        }
        String search = conf.search().isEmpty() ? "" : ", search " + String.join(" ", conf.search());
        String path = conf.policy().isEmpty() ? "" : " (dnsPolicy " + conf.policy() + ", ndots:" + conf.ndots() + search + ")";
        section("Asked" + path, content);
    }

    private static List<String> why(Try one) {
        List<String> content = new ArrayList<>(one.finding().why());
        one.finding().objects().stream().map(Object::toString).filter(text -> text.startsWith("EndpointSlice")).forEach(content::add);
        return content;
    }

    private void leg(Leg leg) {
        List<String> content = new ArrayList<>();
        content.add(leg.at() + ", zone " + leg.zone() + " of " + leg.server() + (leg.view().isEmpty() ? "" : ", view " + leg.view()));
        explanation.deciding().passedOver().forEach(view -> content.add("not taken by " + view));
        leg.visits().forEach(visit -> content.add(visit.plugin() + " (" + visit.at() + ") " + visit.step()));
        if (leg.answeredBy().isEmpty()) {
            content.add(leg.error().isEmpty() ? "no reply" : leg.rcode() + ": " + leg.error());
        } else if (!leg.upstream().isEmpty()) {
            content.add("asked " + leg.upstream());
        }
        if (!leg.setAside().isEmpty()) {
            content.add("set aside, since they do not answer: " + String.join(", ", leg.setAside()));
        }
        section("Server block for " + leg.question(), content);
    }

    private void server() {
        List<String> content = new ArrayList<>();
        for (Try one : explanation.tries()) {
            Heard heard = one.heard();
            if (heard != null) {
                String said = one.legs().isEmpty() || !heard.agrees() ? heard.reply().result() : "agrees";
                content.add(one.name() + " " + one.type() + ": " + (heard.error().isEmpty() ? said : heard.error()));
                if (!heard.agrees()) {
                    heard.reply().rows().forEach(row -> content.add("  " + row));
                }
            }
        }
        section("Server " + explanation.server(), content);
    }

    private void connections() {
        List<String> content = new ArrayList<>();
        for (ProxyTrace.Walk walk : explanation.proxy()) {
            content.add(walk.command());
            walk.output().forEach(line -> content.add("  " + line));
        }
        section("Connections", content);
    }
}
