package dev.cairn.explain;

import dev.cairn.chain.AnswerHook;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.corefile.Position;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes where questions come by. Used by all threads that move an exchange on. */
final class Recorder {
    private final List<Mark> marks = new ArrayList<>();
    private final List<String> passedOver = new ArrayList<>();

    /** A server block whose chain has probes. */
    record Stretch(Position at, String zone, String server, String view, List<Plugin> plugins) {}

    /** Where a question was, and how it stood there. */
    private record Mark(
            Exchange exchange, Stretch stretch, int place, boolean down, String question, String answeredBy, String error, String upstream,
            int rcode) {}

    /** Stands above the plugin of the same number, and once more below the last. Changes nothing. */
    private final class Probe implements AnswerHook {
        private final Stretch stretch;
        private final int place;

        Probe(Stretch stretch, int place) {
            this.stretch = stretch;
            this.place = place;
        }

        @Override
        public String name() {
            return "probe";
        }

        @Override
        public Step query(Exchange exchange) {
            note(exchange, stretch, place, true);
            return Step.NEXT;
        }

        @Override
        public Step answer(Exchange exchange) {
            note(exchange, stretch, place, false);
            return Step.ANSWERED;
        }
    }

    /** The plugins of a block with a probe before each and one at the end. The plugins stay who they are, so they notice nothing. */
    List<Plugin> withProbes(Stretch stretch) {
        List<Plugin> all = new ArrayList<>();
        for (int i = 0; i < stretch.plugins().size(); i++) {
            all.add(new Probe(stretch, i));
            all.add(stretch.plugins().get(i));
        }
        all.add(new Probe(stretch, stretch.plugins().size()));
        return all;
    }

    private synchronized void note(Exchange exchange, Stretch stretch, int place, boolean down) {
        Plugin by = exchange.answeredBy();
        marks.add(new Mark(exchange, stretch, place, down, exchange.query().nameText() + " " + DnsType.toText(exchange.query().type()),
                down || by == null ? "" : by.name(), text(exchange.error()), text(exchange.upstream()), exchange.answer().rcode()));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** A view did not take the question. */
    synchronized void passedOver(String view, Position at) {
        passedOver.add("view " + view + " at " + at);
    }

    synchronized void clear() {
        marks.clear();
        passedOver.clear();
    }

    /** The views that did not take the question, in the order in which they were asked. */
    synchronized List<String> passedOver() {
        return passedOver.stream().distinct().toList();
    }

    /** The ways of the client's question and of those that the server asked itself for it, in the order in which they began. */
    synchronized List<Leg> legs(Configuration configuration) {
        IdentityHashMap<Exchange, Way> ways = new IdentityHashMap<>();
        List<Way> inOrder = new ArrayList<>();
        for (Mark mark : marks) {
            Way way = ways.get(mark.exchange);
            if (way == null) {
                way = new Way(mark);
                ways.put(mark.exchange, way);
                inOrder.add(way);
            }
            way.add(mark);
        }
        List<Way> whole = new ArrayList<>();
        for (Way way : inOrder) {
            if (whole.stream().noneMatch(earlier -> earlier.goesOn(way))) {
                whole.add(way);
            }
        }
        return whole.stream().map(way -> way.leg(configuration)).toList();
    }

    /** What was noted of one exchange, and of those that a plugin had asked below it to answer that one. */
    private static final class Way {
        private final Mark first;
        private final List<Integer> passed = new ArrayList<>();
        private final List<String> steps = new ArrayList<>();
        private Mark last;
        private Mark deepest;

        Way(Mark first) {
            this.first = first;
            this.last = first;
            this.deepest = first;
        }

        void add(Mark mark) {
            if (mark.down) {
                if (last.down && mark.place > last.place) {
                    passed.add(last.place);
                    steps.add(mark.question.equals(last.question) ? "passed" : "passed as " + mark.question);
                }
                deepest = mark;
            }
            last = mark;
        }

        /** Takes over the other way if it begins below the plugin where this one ended; returns whether it does. */
        boolean goesOn(Way other) {
            if (other.first.place == 0 || !other.first.stretch.equals(first.stretch) || other.first.place != deepest.place + 1) {
                return false;
            }
            passed.add(deepest.place);
            steps.add(other.first.question.equals(deepest.question) ? "passed" : "passed as " + other.first.question);
            passed.addAll(other.passed);
            steps.addAll(other.steps);
            deepest = other.deepest;
            return true;
        }

        Leg leg(Configuration configuration) {
            Stretch stretch = first.stretch;
            boolean answered = !last.down;
            List<Leg.Visit> visits = new ArrayList<>();
            for (int i = 0; i < passed.size(); i++) {
                visits.add(visit(stretch, passed.get(i), steps.get(i), configuration));
            }
            if (deepest.place < stretch.plugins().size()) {
                visits.add(visit(stretch, deepest.place, answered ? "answered" : Leg.SILENT, configuration));
            }
            return new Leg(first.question, stretch.at().toString(), stretch.zone(), stretch.server(), stretch.view(),
                    List.copyOf(configuration.setAside(stretch.at())), visits, last.answeredBy, last.upstream, last.error,
                    answered ? Rcode.toText(last.rcode) : "");
        }
    }

    private static Leg.Visit visit(Stretch stretch, int place, String what, Configuration configuration) {
        String plugin = stretch.plugins().get(place).name();
        return new Leg.Visit(plugin, configuration.at(stretch.at(), plugin).toString(), what);
    }
}
