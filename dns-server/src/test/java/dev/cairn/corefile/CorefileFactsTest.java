package dev.cairn.corefile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.conformance.UnitFact;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The facts about Corefiles: how they fall into tokens, and which zones a network stands for. */
class CorefileFactsTest {
    static List<UnitFact> tokens() {
        return UnitFact.of("corefile_lexer");
    }

    static List<UnitFact> networks() {
        return UnitFact.of("cidr_to_reverse_zones");
    }

    @ParameterizedTest
    @MethodSource("tokens")
    void textFallsIntoTokens(UnitFact fact) {
        Problems problems = new Problems();
        List<Lexeme> found = Lexer.lex("Corefile", fact.text("input"), problems);
        assertThat(found.stream().map(lexeme -> lexeme.token().at().line() + " " + lexeme.text()))
                .containsExactlyElementsOf(fact.rows("tokens").stream().map(row -> row.get("line") + " " + row.get("text")).toList());
        assertThat(problems.hasErrors()).isFalse();
    }

    /** The networks in between, which the facts list, too, are not made here: a zone is made from its digits at once. */
    @ParameterizedTest
    @MethodSource("networks")
    void aNetworkHasItsReverseZones(UnitFact fact) {
        assertThat(ReverseZones.of(fact.text("cidr"))).isEqualTo(fact.strings("zones"));
    }
}
