package dev.cairn.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Functions that ask something of each element of a list. */
final class ListFunctions {
    private ListFunctions() {}

    static Object run(String name, List<?> list, Function<@Nullable Object, @Nullable Object> each) {
        return switch (name) {
            case "any" -> list.stream().anyMatch(element -> Operators.truth(each.apply(element)));
            case "all" -> list.stream().allMatch(element -> Operators.truth(each.apply(element)));
            case "none" -> list.stream().noneMatch(element -> Operators.truth(each.apply(element)));
            case "one" -> count(list, each) == 1;
            case "count" -> count(list, each);
            case "filter" -> list.stream().filter(element -> Operators.truth(each.apply(element))).toList();
            default -> {
                List<@Nullable Object> mapped = new ArrayList<>();
                list.forEach(element -> mapped.add(each.apply(element)));
                yield mapped;
            }
        };
    }

    private static long count(List<?> list, Function<@Nullable Object, @Nullable Object> each) {
        return list.stream().filter(element -> Operators.truth(each.apply(element))).count();
    }
}
