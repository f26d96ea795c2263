package dev.cairn.plugin.template;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.pattern.GoPattern;
import dev.cairn.pattern.NameText;
import dev.cairn.pattern.PatternTooCostly;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.Answer;
import dev.cairn.wire.Answer.Section;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.EdnsOption;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers questions that a template is for. */
final class TemplatePlugin implements Plugin {

    /** So many questions may follow from one another because of made-up aliases. */
    private static final int MAX_DEPTH = 8;

    private final Template[] templates;
    private Function<String, @Nullable MetadataValue> metadata = _ -> null;

    TemplatePlugin(List<Template> templates) {
        this.templates = templates.toArray(Template[]::new);
    }

    @Override
    public String name() {
        return "template";
    }

    /** Classes that a template names beside IN; ANY stands for CH, in which clients ask for a server's version. */
    @Override
    public List<Integer> otherClasses() {
        return java.util.Arrays.stream(templates).map(Template::dnsClass).filter(number -> number != DnsClass.IN)
                .map(number -> number == DnsClass.ANY ? DnsClass.CH : number).distinct().toList();
    }

    /** Called before the first query. */
    void bind(Function<String, @Nullable MetadataValue> sources) {
        metadata = sources;
        for (Template template : templates) {
            template.bind(sources);
        }
    }

    @Override
    public Step query(Exchange exchange) {
        QueryView query = exchange.query();
        for (Template template : templates) {
            int zone = template.zoneOf(query);
            if (zone < 0) {
                continue;
            }
            try {
                Step step = answer(exchange, template, zone);
                if (step != Step.NEXT) {
                    return step;
                }
            } catch (TemplateFailure | PatternTooCostly | IllegalArgumentException e) {
                return exchange.fail(Rcode.SERVFAIL, String.valueOf(e.getMessage()));
            }
        }
        return Step.NEXT;
    }

    /** Answers if the name matches; if not, {@link Step#NEXT} lets the next template try. */
    private Step answer(Exchange exchange, Template template, int zone) {
        QueryView query = exchange.query();
        GoPattern pattern = null;
        if (!template.patterns().isEmpty()) {
            pattern = template.match(NameText.of(query));
            if (pattern == null) {
                return missed(exchange, template);
            }
        }
        TemplateData data = null;
        if (!template.isConstant()) {
            Map<String, Object> fields = template.fields(exchange, pattern, zone);
            if (fields == null) {
                return missed(exchange, template);
            }
            data = new TemplateData(exchange, metadata, fields);
        }
        int dnsClass = template.classOf(query);
        int type = template.typeOf(query);
        template.counters().get(zone).matched(exchange, dnsClass, type);
        if (template.rcode() == Rcode.SERVFAIL) {
            return exchange.refuse(Rcode.SERVFAIL);
        }
        return data == null
                ? ready(exchange, template)
                : made(exchange, template, data, template.counters().get(zone).failures(dnsClass, type));
    }

    private static Step missed(Exchange exchange, Template template) {
        return template.goesThrough(exchange.query()) ? Step.NEXT : exchange.refuse(Rcode.SERVFAIL);
    }

    private static Step ready(Exchange exchange, Template template) {
        add(exchange.answer(), Section.ADDITIONAL, template.additional().constant());
        add(exchange.answer(), Section.AUTHORITY, template.authority().constant());
        List<RrSet> answers = template.answer().constant();
        return reply(exchange, template, answers == null ? List.of() : answers);
    }

    private static Step made(Exchange exchange, Template template, TemplateData data, TemplateMetrics.Matched metrics) {
        List<RrSet> answers = template.answer().make(exchange, data, metrics);
        List<RrSet> additional = template.additional().make(exchange, data, metrics);
        List<RrSet> authority = template.authority().make(exchange, data, metrics);
        add(exchange.answer(), Section.ADDITIONAL, additional);
        add(exchange.answer(), Section.AUTHORITY, authority);
        return reply(exchange, template, answers);
    }

    private static void add(Answer answer, Section section, @Nullable List<RrSet> sets) {
        for (int i = 0; sets != null && i < sets.size(); i++) {
            answer.add(section, sets.get(i));
        }
    }

    private static Step reply(Exchange exchange, Template template, List<RrSet> answers) {
        Answer answer = exchange.answer();
        answer.set(HeaderFlag.AA);
        answer.rcode(template.rcode());
        byte[] extendedError = template.extendedError();
        if (extendedError != null) {
            answer.addOption(EdnsOption.EXTENDED_ERROR, extendedError);
        }
        return addAnswers(exchange, answers, 0);
    }

    /** Adds answers from an index on; an alias for an address is followed, the first one. */
    private static Step addAnswers(Exchange exchange, List<RrSet> answers, int from) {
        int type = exchange.query().type();
        boolean follows = from == 0 && (type == DnsType.A || type == DnsType.AAAA) && exchange.depth() <= MAX_DEPTH;
        for (int i = from; i < answers.size(); i++) {
            RrSet set = answers.get(i);
            if (exchange.query().is(set.owner())) {
                exchange.answer().addForQuestion(set);
            } else {
                exchange.answer().add(Section.ANSWER, set);
            }
            if (follows && set.type() == DnsType.CNAME) {
                byte[] data = set.data(0);
                WireName target = WireName.of(data, 0, data.length);
                int next = i + 1;
                return exchange.ask(target, type, inner -> {
                    exchange.answer().addAll(Section.ANSWER, inner.answer(), target);
                    if ((inner.answer().flags() & HeaderFlag.TC) != 0) {
                        exchange.answer().set(HeaderFlag.TC);
                    }
                    addAnswers(exchange, answers, next);
                });
            }
        }
        return Step.ANSWERED;
    }
}
