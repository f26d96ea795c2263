package dev.cairn.expression;

import dev.cairn.pattern.GoPattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands between two terms. */
final class Operators {
    /** How tightly they bind, as in expr-lang. */
    static final Map<String, Integer> PRECEDENCE = Map.ofEntries(
            Map.entry("or", 10), Map.entry("||", 10), Map.entry("and", 15), Map.entry("&&", 15), Map.entry("==", 20), Map.entry("!=", 20),
            Map.entry("<", 20), Map.entry(">", 20), Map.entry("<=", 20), Map.entry(">=", 20), Map.entry("in", 20), Map.entry("matches", 20),
            Map.entry("contains", 20), Map.entry("startsWith", 20), Map.entry("endsWith", 20), Map.entry("not", 20), Map.entry("..", 25),
            Map.entry("+", 30), Map.entry("-", 30), Map.entry("*", 60), Map.entry("/", 60), Map.entry("%", 60));

    private static final int MAX_RANGE = 10_000;

    private Operators() {}

    /** @throws IllegalArgumentException with half a sentence if the kinds do not go together */
    static Term apply(String operator, Term left, Term right) {
        return switch (operator) {
            case "or", "||" -> {
                wants(Kind.BOOL, left, right, operator);
                yield Term.of(Kind.BOOL, (exchange, frame) ->
                        truth(left.code().run(exchange, frame)) || truth(right.code().run(exchange, frame)));
            }
            case "and", "&&" -> {
                wants(Kind.BOOL, left, right, operator);
                yield Term.of(Kind.BOOL, (exchange, frame) ->
                        truth(left.code().run(exchange, frame)) && truth(right.code().run(exchange, frame)));
            }
            case "==", "!=" -> equal(left, right, operator.equals("=="));
            case "<", ">", "<=", ">=" -> ordered(operator, left, right);
            case "in" -> in(left, right);
            case "matches" -> matches(left, right);
            case "contains", "startsWith", "endsWith" -> {
                wants(Kind.STRING, left, right, operator);
                yield Term.of(Kind.BOOL, (exchange, frame) -> compareTexts(operator,
                        Builtins.text(left.code().run(exchange, frame)), Builtins.text(right.code().run(exchange, frame))));
            }
            case ".." -> {
                wants(Kind.INT, left, right, operator);
                yield Term.of(Kind.LIST, (exchange, frame) -> range(number(left.code().run(exchange, frame)).longValue(),
                        number(right.code().run(exchange, frame)).longValue()));
            }
            default -> arithmetic(operator, left, right);
        };
    }

    static Term not(Term term) {
        if (!term.kind().fits(Kind.BOOL)) {
            throw new IllegalArgumentException("not wants true or false, and this is " + term.kind());
        }
        return Term.of(Kind.BOOL, (exchange, frame) -> !truth(term.code().run(exchange, frame)));
    }

    static Term minus(Term term) {
        return arithmetic("-", Term.constant(Kind.INT, 0L), term);
    }

    private static void wants(Kind kind, Term left, Term right, String operator) {
        if (!left.kind().fits(kind) || !right.kind().fits(kind)) {
            throw new IllegalArgumentException(
                    operator + " wants " + kind + " on both sides, and there are " + left.kind() + " and " + right.kind());
        }
    }

    static boolean truth(@Nullable Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new EvaluationFailure(Builtins.text(value) + " is neither true nor false");
    }

    private static Number number(@Nullable Object value) {
        if (value instanceof Number number) {
            return number;
        }
        throw new EvaluationFailure(Builtins.text(value) + " is not a number");
    }

    private static Term equal(Term left, Term right, boolean wanted) {
        boolean comparable = left.kind().fits(right.kind()) || right.kind().fits(left.kind());
        if (!comparable) {
            throw new IllegalArgumentException(left.kind() + " is never equal to " + right.kind());
        }
        if ("type".equals(left.call()) && right.constant() instanceof String name) {
            Code is = QueryWords.typeIn(List.of(name));
            if (is != null) {
                return Term.of(Kind.BOOL, wanted ? is : (exchange, frame) -> !truth(is.run(exchange, frame)));
            }
        }
        return Term.of(Kind.BOOL, (exchange, frame) -> same(left.code().run(exchange, frame), right.code().run(exchange, frame)) == wanted);
    }

    private static boolean same(@Nullable Object left, @Nullable Object right) {
        if (left instanceof Number a && right instanceof Number b) {
            return a.doubleValue() == b.doubleValue();
        }
        return left == null ? right == null : left.equals(right);
    }

    private static Term ordered(String operator, Term left, Term right) {
        boolean numbers = left.kind().isNumber() && right.kind().isNumber();
        boolean strings = left.kind().fits(Kind.STRING) && right.kind().fits(Kind.STRING);
        if (!numbers && !strings) {
            throw new IllegalArgumentException(
                    operator + " wants two numbers or two strings, and there are " + left.kind() + " and " + right.kind());
        }
        return Term.of(Kind.BOOL, (exchange, frame) -> {
            int order = compare(left.code().run(exchange, frame), right.code().run(exchange, frame));
            return switch (operator) {
                case "<" -> order < 0;
                case ">" -> order > 0;
                case "<=" -> order <= 0;
                default -> order >= 0;
            };
        });
    }

    private static int compare(@Nullable Object left, @Nullable Object right) {
        if (left instanceof String a && right instanceof String b) {
            return a.compareTo(b);
        }
        return Double.compare(number(left).doubleValue(), number(right).doubleValue());
    }

    private static Term in(Term left, Term right) {
        if (!right.kind().fits(Kind.LIST)) {
            throw new IllegalArgumentException("in wants a list on its right, such as ['A', 'AAAA'], and this is " + right.kind());
        }
        if ("type".equals(left.call()) && right.constant() instanceof List<?> names) {
            Code is = QueryWords.typeIn(names);
            if (is != null) {
                return Term.of(Kind.BOOL, is);
            }
        }
        return Term.of(Kind.BOOL, (exchange, frame) -> {
            Object value = left.code().run(exchange, frame);
            for (Object one : Builtins.list(right.code().run(exchange, frame))) {
                if (same(value, one)) {
                    return true;
                }
            }
            return false;
        });
    }

    private static Term matches(Term left, Term right) {
        wants(Kind.STRING, left, right, "matches");
        if (!(right.constant() instanceof String pattern)) {
            throw new IllegalArgumentException("matches wants a pattern in quotes on its right");
        }
        GoPattern compiled = GoPattern.compile(pattern);
        return Term.of(Kind.BOOL, (exchange, frame) -> compiled.find(Builtins.text(left.code().run(exchange, frame))) != null);
    }

    private static boolean compareTexts(String operator, String left, String right) {
        return switch (operator) {
            case "contains" -> left.contains(right);
            case "startsWith" -> left.startsWith(right);
            default -> left.endsWith(right);
        };
    }

    private static List<Long> range(long from, long to) {
        if (to - from > MAX_RANGE) {
            throw new EvaluationFailure("a range has at most " + MAX_RANGE + " numbers");
        }
        return java.util.stream.LongStream.rangeClosed(from, to).boxed().toList();
    }

    private static Term arithmetic(String operator, Term left, Term right) {
        if (operator.equals("+") && left.kind() == Kind.STRING && right.kind().fits(Kind.STRING)) {
            return Term.of(Kind.STRING, (exchange, frame) ->
                    Builtins.text(left.code().run(exchange, frame)) + Builtins.text(right.code().run(exchange, frame)));
        }
        if (!left.kind().isNumber() || !right.kind().isNumber()) {
            throw new IllegalArgumentException(operator + " wants two numbers, and there are " + left.kind() + " and " + right.kind());
        }
        boolean whole = left.kind() == Kind.INT && right.kind() == Kind.INT && !operator.equals("/");
        return Term.of(whole ? Kind.INT : Kind.ANY, (exchange, frame) ->
                calculate(operator, left.code().run(exchange, frame), right.code().run(exchange, frame)));
    }

    private static Object calculate(String operator, @Nullable Object left, @Nullable Object right) {
        if (operator.equals("+") && left instanceof String text) {
            return text + Builtins.text(right);
        }
        Number a = number(left);
        Number b = number(right);
        boolean whole = a instanceof Long && b instanceof Long && !operator.equals("/");
        if (operator.equals("%") && b.longValue() == 0) {
            throw new EvaluationFailure("division by zero");
        }
        return switch (operator) {
            case "+" -> whole ? (Object) (a.longValue() + b.longValue()) : (Object) (a.doubleValue() + b.doubleValue());
            case "-" -> whole ? (Object) (a.longValue() - b.longValue()) : (Object) (a.doubleValue() - b.doubleValue());
            case "*" -> whole ? (Object) (a.longValue() * b.longValue()) : (Object) (a.doubleValue() * b.doubleValue());
            case "%" -> a.longValue() % b.longValue();
            default -> a.doubleValue() / b.doubleValue();
        };
    }
}
