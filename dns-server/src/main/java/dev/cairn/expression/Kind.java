package dev.cairn.expression;

/** What a part of an expression gives, as far as that is known before it runs. */
enum Kind {
    BOOL("true or false"),
    INT("a whole number"),
    FLOAT("a number"),
    STRING("a string"),
    LIST("a list"),
    ANY("any value");

    private final String words;

    Kind(String words) {
        this.words = words;
    }

    /** Whether a value of this kind may stand where the other is wanted. */
    boolean fits(Kind wanted) {
        return this == wanted || this == ANY || wanted == ANY || (this == INT && wanted == FLOAT);
    }

    boolean isNumber() {
        return this == INT || this == FLOAT || this == ANY;
    }

    @Override
    public String toString() {
        return words;
    }
}
