package dev.cairn.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.manual.Session;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What the guides show of {@code cairn-proxy} is what it prints. */
class GuidesTest {
    private static final String EXAMPLES = Path.of(System.getProperty("cairn.root"), "examples").toString();

    static List<Session> sessions() throws IOException {
        return Session.of("cairn-proxy");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sessions")
    void commands_print_what_the_guides_show(Session session) {
        StringWriter out = new StringWriter();
        CommandLine line = CairnProxy.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
        String[] arguments = session.arguments();
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = arguments[i].replaceFirst("^examples", EXAMPLES);   // the guides run it at the top of the tree
        }
        int code = line.execute(arguments);
        assertThat(out.toString()).isEqualTo(session.output());
        assertThat(code).isEqualTo(session.code() < 0 ? 0 : session.code());
    }
}
