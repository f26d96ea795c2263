package dev.cairn.plugin.rewrite;

import dev.cairn.chain.Exchange;
import dev.cairn.pattern.NameText;
import dev.cairn.plugin.MetadataValue;
import dev.cairn.wire.QueryChange;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One rule: which queries it is for, and what becomes of them. */
interface Rule {
    /** Whether the rule is for this query; {@code name} is the question's. Does not allocate. */
    boolean matches(QueryView query, NameText name);

    /**
     * Changes the query, and adds to {@code back} what is to be done with the answer. Returns false if there is nothing to do after all, so
     * that the rule counts as not having matched.
     */
    boolean apply(Exchange exchange, List<AnswerRule> back);

    /** Finds sources of metadata; called before the first query. */
    default void bind(Function<String, @Nullable MetadataValue> metadata) {}

    /**
     * Asks for another name.
     *
     * @param auto whether names in the answer are mapped back to the one before
     */
    record OfName(Renaming renaming, boolean auto, List<AnswerRule> answers) implements Rule {
        @Override
        public boolean matches(QueryView query, NameText name) {
            return renaming.pattern().matches(query, name);
        }

        @Override
        public boolean apply(Exchange exchange, List<AnswerRule> back) {
            String before = exchange.query().nameText();
            String name = renaming.rename(before, exchange);
            if (name == null) {
                return false;
            }
            try {
                new QueryChange(exchange.query()).name(WireName.parse(name)).apply();
            } catch (IllegalArgumentException e) {
                throw new RewriteFailure("invalid name after rewrite: " + name + ": " + e.getMessage());
            }
            if (auto) {
                AnswerRule.Names names = new AnswerRule.Back(exchange.query().nameText(), before);
                back.add(new AnswerRule.Owners(names));
                back.add(new AnswerRule.Values(names));
            }
            back.addAll(answers);
            return true;
        }

        @Override
        public void bind(Function<String, @Nullable MetadataValue> metadata) {
            renaming.to().bind(metadata);
        }
    }

    /** Asks for another type. */
    record OfType(int from, int to) implements Rule {
        @Override
        public boolean matches(QueryView query, NameText name) {
            return query.type() == from;
        }

        @Override
        public boolean apply(Exchange exchange, List<AnswerRule> back) {
            new QueryChange(exchange.query()).type(to).apply();
            return true;
        }
    }

    /** Asks in another class. */
    record OfClass(int from, int to) implements Rule {
        @Override
        public boolean matches(QueryView query, NameText name) {
            return query.dnsClass() == from;
        }

        @Override
        public boolean apply(Exchange exchange, List<AnswerRule> back) {
            new QueryChange(exchange.query()).dnsClass(to).apply();
            return true;
        }
    }

    /** Leaves the question as it is and changes the answer. */
    record OfAnswer(NamePattern pattern, AnswerRule change) implements Rule {
        @Override
        public boolean matches(QueryView query, NameText name) {
            return pattern.matches(query, name);
        }

        @Override
        public boolean apply(Exchange exchange, List<AnswerRule> back) {
            back.add(change);
            return true;
        }
    }

    /** Changes the aliases in any answer. */
    record OfAlias(AnswerRule.AliasTarget change) implements Rule {
        @Override
        public boolean matches(QueryView query, NameText name) {
            return true;
        }

        @Override
        public boolean apply(Exchange exchange, List<AnswerRule> back) {
            back.add(change);
            return true;
        }
    }
}
