package dev.cairn.plugin.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A compiled template: text and actions in turn. Immutable. */
final class GoTemplate {
    private final String source;
    private final List<Node> nodes;

    private GoTemplate(String source, List<Node> nodes) {
        this.source = source;
        this.nodes = nodes;
    }

    /** @throws IllegalArgumentException with a sentence for the user */
    static GoTemplate compile(String source) {
        return new GoTemplate(source, new TemplateCompiler(source).compile());
    }

    /** Part of a template. */
    sealed interface Node {}

    record Text(String text) implements Node {}

    /** Prints a value. */
    record Print(Value value) implements Node {}

    record If(Value condition, List<Node> then, List<Node> otherwise) implements Node {}

    /** Where an action finds a value. */
    @FunctionalInterface
    interface Value {
        @Nullable Object of(TemplateData data);
    }

    boolean isConstant() {
        return nodes.stream().allMatch(Text.class::isInstance);
    }

    /** @throws TemplateFailure if a value cannot be had */
    String execute(TemplateData data) {
        StringBuilder text = new StringBuilder();
        execute(nodes, data, text);
        return text.toString();
    }

    /** The text of a template without actions. */
    String constant() {
        return String.join("", nodes.stream().map(node -> node instanceof Text(String text) ? text : "").toList());
    }

    private static void execute(List<Node> nodes, TemplateData data, StringBuilder to) {
        for (Node node : nodes) {
            switch (node) {
                case Text(String text) -> to.append(text);
                case Print(Value value) -> to.append(TemplateFunctions.text(value.of(data)));
                case If(Value condition, List<Node> then, List<Node> otherwise) ->
                    execute(TemplateFunctions.truth(condition.of(data)) ? then : otherwise, data, to);
            }
        }
    }

    @Override
    public String toString() {
        return source;
    }
}
