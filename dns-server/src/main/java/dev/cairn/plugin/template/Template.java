package dev.cairn.plugin.template;

import dev.cairn.chain.Exchange;
import dev.cairn.expression.Expression;
import dev.cairn.expression.Frame;
import dev.cairn.pattern.GoPattern;
import dev.cairn.pattern.NameText;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * One use of the directive.
 *
 * @param counters of the zones, in their order
 * @param patterns empty if all names match
 * @param variables in the order of their declaration
 * @param extendedError the data of the option (RFC 8914); null if there is none
 * @param through the zones in which a name that does not match goes on
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody; read per query
record Template(
        List<WireName> zones,
        List<TemplateMetrics.ZoneCounters> counters,
        int dnsClass,
        int type,
        List<GoPattern> patterns,
        List<Variable> variables,
        List<Expression> conditions,
        SectionTemplate answer,
        SectionTemplate additional,
        SectionTemplate authority,
        int rcode,
        byte @Nullable [] extendedError,
        List<WireName> through) {
    /** A name for the value of an expression. */
    record Variable(String name, Expression expression) {}

    void bind(Function<String, @Nullable MetadataValue> metadata) {
        variables.forEach(variable -> variable.expression().bind(metadata));
        conditions.forEach(condition -> condition.bind(metadata));
    }

    /** The index of the longest zone the question is in; -1 if none, or if class or type are others. */
    int zoneOf(QueryView query) {
        boolean asked = (dnsClass == DnsClass.ANY || query.dnsClass() == DnsClass.ANY || query.dnsClass() == dnsClass)
                && (type == DnsType.ANY || query.type() == DnsType.ANY || query.type() == type);
        int longest = -1;
        for (int i = 0; asked && i < zones.size(); i++) {
            if (query.isWithin(zones.get(i)) && (longest < 0 || zones.get(i).length() > zones.get(longest).length())) {
                longest = i;
            }
        }
        return longest;
    }

    /** Whether a question whose name does not match is left to others. */
    boolean goesThrough(QueryView query) {
        for (int i = 0; i < through.size(); i++) {
            if (query.isWithin(through.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** The first pattern that matches; null if none does. */
    @Nullable GoPattern match(NameText name) {
        for (int i = 0; i < patterns.size(); i++) { // by index: an iterator would be garbage for each query
            if (patterns.get(i).find(name) != null) {
                return patterns.get(i);
            }
        }
        return null;
    }

    /** The class that records are for: the question's, unless that is ANY. */
    int classOf(QueryView query) {
        return query.dnsClass() == DnsClass.ANY ? dnsClass : query.dnsClass();
    }

    int typeOf(QueryView query) {
        return query.type() == DnsType.ANY ? type : query.type();
    }

    /** Whether replies can be made without looking at more than the name. */
    boolean isConstant() {
        return conditions.isEmpty() && variables.isEmpty()
                && answer.constant() != null && additional.constant() != null && authority.constant() != null;
    }

    /**
     * All that templates may use; null if a condition does not hold.
     *
     * @throws IllegalArgumentException if a variable has no value
     */
    @Nullable Map<String, Object> fields(Exchange exchange, @Nullable GoPattern pattern, int zone) {
        QueryView query = exchange.query();
        List<String> match = new ArrayList<>();
        Map<String, Object> groups = new HashMap<>();
        Matcher found = pattern == null ? null : pattern.find(query.nameText());
        if (found == null || pattern == null) {
            match.add(query.nameText());
        } else {
            for (int i = 0; i <= found.groupCount(); i++) {
                match.add(found.group(i) == null ? "" : found.group(i));
            }
            pattern.groupNames().forEach((name, number) -> groups.put(name, match.get(number)));
        }
        for (int i = 0; i < match.size(); i++) {
            groups.put(Integer.toString(i), match.get(i));
        }
        Map<String, Object> variableValues = new HashMap<>();
        if (!holds(exchange, groups, variableValues)) {
            return null;
        }
        Map<String, Object> fields = new HashMap<>();
        fields.put("Zone", zones.get(zone).toString());
        fields.put("Regex", pattern == null ? ".*" : pattern.toString());
        fields.put("Match", match);
        fields.put("Group", groups);
        fields.put("Class", DnsClass.toText(classOf(query)));
        fields.put("Type", DnsType.toText(typeOf(query)));
        fields.put("Var", variableValues);
        return fields;
    }

    private boolean holds(Exchange exchange, Map<String, Object> groups, Map<String, Object> values) {
        if (variables.isEmpty() && conditions.isEmpty()) {
            return true;
        }
        Frame frame = Frame.of(variables.size(), name -> groups.get(name) instanceof String group ? group : null);
        for (int i = 0; i < variables.size(); i++) {
            Object value = variables.get(i).expression().evaluate(exchange, frame);
            frame.variable(i, value);
            if (value != null) {
                values.put(variables.get(i).name(), value);
            }
        }
        for (Expression condition : conditions) {
            if (!(condition.evaluate(exchange, frame) instanceof Boolean truth) || !truth) {
                return false;
            }
        }
        return true;
    }
}
