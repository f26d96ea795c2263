package dev.cairn.plugin.template;

import dev.cairn.corefile.Use;
import dev.cairn.expression.Expression;
import dev.cairn.pattern.GoPattern;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.wire.Bytes;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.WireName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code template}. */
public final class TemplateSetup implements PluginSetup {
    private static final List<String> PROPERTIES =
            List.of("additional", "answer", "authority", "ederror", "expr", "fallthrough", "match", "rcode", "var");
    private static final Map<String, Integer> CLASSES =
            Map.of("IN", DnsClass.IN, "CH", DnsClass.CH, "HS", DnsClass.HS, "NONE", DnsClass.NONE, "ANY", DnsClass.ANY);

    @Override
    public String name() {
        return "template";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        TemplateMetrics metrics = new TemplateMetrics(block.host().metrics());
        TemplatePlugin plugin = new TemplatePlugin(uses.stream().map(use -> new Reading(use).read(block, metrics)).toList());
        block.add(plugin);
        // Labels are known only when a query is answered; what was found once is kept.
        Map<String, java.util.Optional<dev.cairn.plugin.MetadataValue>> sources = new ConcurrentHashMap<>();
        block.onStart(() -> plugin.bind(label ->
                sources.computeIfAbsent(label, one -> java.util.Optional.ofNullable(block.metadata(one))).orElse(null)));
    }

    /** One use while it is read. */
    private static final class Reading {
        private final Use use;
        private final List<GoPattern> patterns = new ArrayList<>();
        private final List<GoTemplate> answer = new ArrayList<>();
        private final List<GoTemplate> additional = new ArrayList<>();
        private final List<GoTemplate> authority = new ArrayList<>();
        private final List<Template.Variable> variables = new ArrayList<>();
        private final List<Expression> conditions = new ArrayList<>();
        private final Expression.Names names = new Expression.Names(true);
        private int rcode = Rcode.NOERROR;
        private byte @Nullable [] extendedError;
        private List<WireName> through = List.of();

        Reading(Use use) {
            this.use = use;
        }

        Template read(Block block, TemplateMetrics metrics) {
            use.expect(2, Integer.MAX_VALUE, "template CLASS TYPE [ZONE...] { ... }");
            int dnsClass = use.choice(0, CLASSES, DnsClass.IN);
            int type = use.count() < 2 ? DnsType.ANY : DnsType.fromText(use.arg(1));
            if (type < 0) {
                use.error("\"" + use.arg(1) + "\" is not a record type; write one such as A, PTR or ANY");
            }
            List<WireName> zones = block.zonesOr(use.zones(2));
            use.block().forEach(line -> {
                try {
                    property(line);
                } catch (IllegalArgumentException e) {
                    line.error(String.valueOf(e.getMessage()));
                }
            });
            List<TemplateMetrics.ZoneCounters> counters = zones.stream().map(zone -> metrics.of(zone.toString())).toList();
            return new Template(zones, counters, dnsClass, type, List.copyOf(patterns), List.copyOf(variables), List.copyOf(conditions),
                    section("answer", answer), section("additional", additional), section("authority", authority),
                    rcode, extendedError, through);
        }

        private SectionTemplate section(String name, List<GoTemplate> records) {
            try {
                return new SectionTemplate(name, records);
            } catch (IllegalArgumentException e) {
                use.error(name + ": " + e.getMessage());
                return new SectionTemplate(name, List.of());
            }
        }

        private void property(Use line) {
            switch (line.name()) {
                case "match" -> {
                    if (line.expect(1, Integer.MAX_VALUE, "match REGEX...")) {
                        line.args().forEach(regex -> patterns.add(GoPattern.compile(regex)));
                    }
                }
                case "answer" -> records(line, answer);
                case "additional" -> records(line, additional);
                case "authority" -> records(line, authority);
                case "var" -> variable(line);
                case "expr" -> {
                    if (line.expect(1, Integer.MAX_VALUE, "expr EXPRESSION")) {
                        conditions.add(Expression.condition(String.join(" ", line.args()), names));
                    }
                }
                case "rcode" -> {
                    if (line.expect(1, 1, "rcode CODE")) {
                        rcode = Rcode.fromText(line.arg(0));
                        if (rcode < 0) {
                            line.error("\"" + line.arg(0) + "\" is not a response code; write one such as NXDOMAIN");
                        }
                    }
                }
                case "ederror" -> extendedError(line);
                case "fallthrough" ->
                    through = line.count() == 0 ? List.of(WireName.ROOT) : line.zones(0).stream().map(WireName::parse).toList();
                case "upstream" -> {
                    // long without meaning in CoreDNS, and still taken there
                }
                default -> line.unknown(PROPERTIES);
            }
        }

        private static void records(Use line, List<GoTemplate> to) {
            if (line.expect(1, Integer.MAX_VALUE, line.name() + " \"RECORD\"")) {
                line.args().forEach(record -> to.add(GoTemplate.compile(record)));
            }
        }

        private void variable(Use line) {
            if (!line.expect(2, Integer.MAX_VALUE, "var NAME EXPRESSION")) {
                return;
            }
            if (!Expression.isFree(line.arg(0))) {
                line.error("\"" + line.arg(0) + "\" cannot be the name of a variable;"
                        + " write letters, digits and _, and no word of the language");
                return;
            }
            Expression expression = Expression.value(String.join(" ", line.args().subList(1, line.count())), names);
            names.declare(line.arg(0), expression);
            variables.add(new Template.Variable(line.arg(0), expression));
        }

        private void extendedError(Use line) {
            if (line.expect(1, 2, "ederror CODE [\"TEXT\"]")) {
                byte[] text = line.arg(1, "").getBytes(StandardCharsets.UTF_8);
                byte[] data = new byte[2 + text.length];
                Bytes.put16(data, 0, line.intArg(0, 0, 0xffff, 0));
                System.arraycopy(text, 0, data, 2, text.length);
                extendedError = data;
            }
        }
    }
}
