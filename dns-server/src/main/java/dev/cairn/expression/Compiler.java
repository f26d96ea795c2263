package dev.cairn.expression;

import dev.cairn.chain.Exchange;
import dev.cairn.expression.Tokens.Form;
import dev.cairn.expression.Tokens.Token;
import dev.cairn.log.NearestWord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compiles one expression by recursive descent, with operators by their precedence. Mistakes are thrown as {@link IllegalArgumentException}
 * with a sentence for the user that tells the place. Used once, by one thread.
 */
final class Compiler {
    private static final int UNARY_NOT = 50;
    private static final int UNARY_MINUS = 90;

    private final Tokens tokens;
    private final Expression.Names names;
    private final List<QueryWords.Label> labels = new ArrayList<>();
    private int predicates;

    Compiler(String text, Expression.Names names) {
        tokens = new Tokens(text);
        this.names = names;
    }

    List<QueryWords.Label> labels() {
        return List.copyOf(labels);
    }

    Term compile() {
        Term term = choice();
        if (tokens.peek().form() != Form.END) {
            throw tokens.wrong(tokens.peek().at(), "\"" + tokens.peek().text() + "\" is not expected here");
        }
        return term;
    }

    /** {@code CONDITION ? THIS : THAT}, or what binds tighter. */
    private Term choice() {
        Term condition = binary(0);
        Token at = tokens.peek();
        if (!tokens.takeIf("?")) {
            return condition;
        }
        if (!condition.kind().fits(Kind.BOOL)) {
            throw tokens.wrong(at.at(), "? wants true or false before it, and this is " + condition.kind());
        }
        Term yes = choice();
        tokens.expect(":");
        Term no = choice();
        return Term.of(yes.kind() == no.kind() ? yes.kind() : Kind.ANY, (exchange, frame) ->
                (Operators.truth(condition.code().run(exchange, frame)) ? yes : no).code().run(exchange, frame));
    }

    private Term binary(int least) {
        Term left = unary();
        while (true) {
            Token operator = tokens.peek();
            boolean isWord = operator.form() == Form.NAME || operator.form() == Form.MARK;
            Integer precedence = isWord ? Operators.PRECEDENCE.get(operator.text()) : null;
            if (precedence == null || precedence < least) {
                return left;
            }
            tokens.take();
            // "a not in b" is "not (a in b)"
            boolean negated = operator.is("not");
            Token real = negated ? tokens.take() : operator;
            if (negated && !List.of("in", "matches", "contains", "startsWith", "endsWith").contains(real.text())) {
                throw tokens.wrong(real.at(), "\"" + real.text() + "\" is not expected after not");
            }
            Term right = binary(precedence + 1);
            Term result = located(real, left, right);
            left = negated ? Operators.not(result) : result;
        }
    }

    private Term located(Token operator, Term left, Term right) {
        try {
            return Operators.apply(operator.text(), left, right);
        } catch (IllegalArgumentException e) {
            throw tokens.wrong(operator.at(), String.valueOf(e.getMessage()));
        }
    }

    private Term unary() {
        Token token = tokens.peek();
        try {
            if (tokens.takeIf("not") || tokens.takeIf("!")) {
                return Operators.not(binary(UNARY_NOT));
            }
            if (tokens.takeIf("-")) {
                return Operators.minus(binary(UNARY_MINUS));
            }
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw message.startsWith("in \"") ? e : tokens.wrong(token.at(), message);
        }
        return postfix(primary());
    }

    /** Elements of lists. */
    private Term postfix(Term first) {
        Term term = first;
        while (tokens.peek().is("[")) {
            Token at = tokens.take();
            Term list = term;
            Term index = choice();
            tokens.expect("]");
            if (!list.kind().fits(Kind.LIST) || !index.kind().fits(Kind.INT)) {
                throw tokens.wrong(at.at(), "only elements of lists can be taken, by number");
            }
            term = Term.of(Kind.ANY, (exchange, frame) -> element(list, index, exchange, frame));
        }
        return term;
    }

    private static @Nullable Object element(Term list, Term index, Exchange exchange, Frame frame) {
        List<?> elements = Builtins.list(list.code().run(exchange, frame));
        int at = index.code().run(exchange, frame) instanceof Number number ? number.intValue() : -1;
        int counted = at < 0 ? elements.size() + at : at;
        if (counted < 0 || counted >= elements.size()) {
            throw new EvaluationFailure("a list of " + elements.size() + " has no element " + at);
        }
        return elements.get(counted);
    }

    private Term primary() {
        Token token = tokens.take();
        return switch (token.form()) {
            case STRING -> Term.constant(Kind.STRING, token.text());
            case NUMBER -> number(token);
            case NAME -> name(token);
            case MARK -> switch (token.text()) {
                case "(" -> {
                    Term inside = choice();
                    tokens.expect(")");
                    yield inside;
                }
                case "[" -> list();
                case "#" -> {
                    if (predicates == 0) {
                        throw tokens.wrong(token.at(), "# stands for an element, and there is no list here; write: any(LIST, # == ...)");
                    }
                    yield Term.of(Kind.ANY, (_, frame) -> frame.element());
                }
                default -> throw tokens.wrong(token.at(), "\"" + token.text() + "\" is not expected here");
            };
            case END -> throw tokens.wrong(token.at(), "the expression ends too early");
        };
    }

    private Term number(Token token) {
        String digits = token.text().replace("_", "");
        try {
            if (digits.contains(".")) {
                return Term.constant(Kind.FLOAT, Double.parseDouble(digits));
            }
            return Term.constant(Kind.INT, Long.decode(digits.matches("0[0-9]+") ? digits.replaceFirst("^0+(?=.)", "") : digits));
        } catch (NumberFormatException e) {
            throw tokens.wrong(token.at(), token.text() + " is too large");
        }
    }

    private Term list() {
        List<Term> elements = new ArrayList<>();
        while (!tokens.takeIf("]")) {
            elements.add(choice());
            if (!tokens.peek().is("]")) {
                tokens.expect(",");
            }
        }
        if (elements.stream().allMatch(element -> element.constant() != null)) {
            return Term.constant(Kind.LIST, elements.stream().map(Term::constant).toList());
        }
        return Term.of(Kind.LIST, (exchange, frame) -> {
            List<@Nullable Object> values = new ArrayList<>(elements.size());
            elements.forEach(element -> values.add(element.code().run(exchange, frame)));
            return values;
        });
    }

    private Term name(Token token) {
        return switch (token.text()) {
            case "true" -> Term.constant(Kind.BOOL, true);
            case "false" -> Term.constant(Kind.BOOL, false);
            case "nil" -> Term.constant(Kind.ANY, null);
            default -> {
                Term variable = names.variable(token.text());
                yield variable != null ? variable : call(token);
            }
        };
    }

    private Term call(Token name) {
        Term word = QueryWords.of(name.text());
        if (!tokens.takeIf("(")) {
            throw tokens.wrong(name.at(), word == null ? "\"" + name.text() + "\" is not known" + nearest(name.text())
                    : name.text() + " is a function; write: " + name.text() + "()");
        }
        if (Builtins.OVER_LISTS.contains(name.text())) {
            return overList(name.text());
        }
        List<Term> args = arguments();
        if (word != null) {
            expect(name, args, List.of());
            return word;
        }
        return switch (name.text()) {
            case "incidr" -> {
                expect(name, args, List.of(Kind.STRING, Kind.STRING));
                try {
                    yield QueryWords.inCidr(args.get(0), args.get(1));
                } catch (EvaluationFailure e) {
                    throw tokens.wrong(name.at(), String.valueOf(e.getMessage()));
                }
            }
            case "metadata" -> label(name, args);
            default -> name.text().equals("group") && names.groups() ? group(name, args) : builtin(name, args);
        };
    }

    private Term label(Token name, List<Term> args) {
        expect(name, args, List.of(Kind.STRING));
        if (!(args.getFirst().constant() instanceof String text)) {
            throw tokens.wrong(name.at(), "metadata wants a label in quotes, such as metadata('view/name')");
        }
        QueryWords.Label label = new QueryWords.Label(text);
        labels.add(label);
        return Term.of(Kind.STRING, label);
    }

    private Term group(Token name, List<Term> args) {
        expect(name, args, List.of(Kind.ANY));
        Code which = args.getFirst().code();
        return Term.of(Kind.STRING, (exchange, frame) -> frame.group(Builtins.text(which.run(exchange, frame))));
    }

    private Term builtin(Token name, List<Term> args) {
        Builtins.Function function = Builtins.of(name.text());
        if (function == null) {
            throw tokens.wrong(name.at(), "the function \"" + name.text() + "\" is not known" + nearest(name.text()));
        }
        expect(name, args, function.parameters());
        Code[] codes = args.stream().map(Term::code).toArray(Code[]::new);
        return Term.of(function.kind(), (exchange, frame) -> {
            @Nullable Object[] values = new Object[codes.length];
            for (int i = 0; i < codes.length; i++) {
                values[i] = codes[i].run(exchange, frame);
            }
            return function.body().of(values);
        });
    }

    private static String nearest(String wrong) {
        List<String> known =
                Stream.of(QueryWords.names(), Builtins.names(), List.of("incidr", "metadata")).flatMap(List::stream).sorted().toList();
        String near = NearestWord.of(wrong, known);
        return (near == null ? "" : ", did you mean " + near + "?") + " (known: " + String.join(", ", known) + ")";
    }

    private List<Term> arguments() {
        List<Term> args = new ArrayList<>();
        while (!tokens.takeIf(")")) {
            args.add(choice());
            if (!tokens.peek().is(")")) {
                tokens.expect(",");
            }
        }
        return args;
    }

    private void expect(Token name, List<Term> args, List<Kind> kinds) {
        boolean fits = args.size() == kinds.size();
        for (int i = 0; fits && i < kinds.size(); i++) {
            fits = args.get(i).kind().fits(kinds.get(i));
        }
        if (!fits) {
            String wanted = kinds.isEmpty() ? "nothing" : String.join(", ", kinds.stream().map(Kind::toString).toList());
            throw tokens.wrong(name.at(), name.text() + "() wants " + wanted + " in its parentheses");
        }
    }

    /** {@code any(LIST, PREDICATE)} and its like; {@code #} is the element. */
    private Term overList(String function) {
        Term list = choice();
        tokens.expect(",");
        boolean braced = tokens.takeIf("{");
        predicates++;
        Term predicate = choice();
        predicates--;
        if (braced) {
            tokens.expect("}");
        }
        tokens.expect(")");
        Kind kind = switch (function) {
            case "filter", "map" -> Kind.LIST;
            case "count" -> Kind.INT;
            default -> Kind.BOOL;
        };
        return Term.of(kind, (exchange, frame) -> ListFunctions.run(function, Builtins.list(list.code().run(exchange, frame)),
                element -> predicate.code().run(exchange, frame.with(element))));
    }
}
