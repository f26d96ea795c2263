package dev.cairn.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.manual.Session;
import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the guides show is what happens, and what they point to is there. */
class GuidesTest {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final Pattern LINK = Pattern.compile("!?\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("^(```|~~~).*?^\\1$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

    @TempDir
    Path empty;

    static List<Session> sessions() throws IOException {
        return Session.of("cairn");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sessions")
    void commands_print_what_the_guides_show(Session session) throws Exception {
        List<String> plainly = List.of("env", "-u", "KUBERNETES_SERVICE_HOST", "PATH=" + empty);
        try (CairnProcess cairn = CairnProcess.startBy(plainly, ROOT, session.arguments())) {
            int code = cairn.awaitExit();
            assertThat(String.join("\n", cairn.output()) + "\n").isEqualTo(session.output());
            assertThat(code).isEqualTo(session.code() < 0 ? 0 : session.code());
        }
    }

    @Test
    void a_server_of_the_example_answers_as_the_guides_show() throws Exception {
        List<Session> questions = Session.of("dig");
        assertThat(questions).isNotEmpty();
        try (CairnProcess cairn = CairnProcess.start(ROOT, "--manifests", "examples/cluster", "-p", "0")) {
            String port = Integer.toString(cairn.port());
            for (Session question : questions) {
                String[] dig = question.command().replace(" -p 1053 ", " +time=60 +tries=1 -p " + port + " ").split(" ");
                // It serves before it has read the manifests.
                await().untilAsserted(() -> assertThat(Programs.run(dig).output()).as("%s", question).isEqualTo(question.output()));
            }
        }
    }

    @Test
    void every_shown_command_is_run_by_some_test() throws IOException {
        assertThat(Session.all()).isNotEmpty().allSatisfy(session -> assertThat(session.program()).isIn("cairn", "cairn-proxy", "dig"));
    }

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs")); Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(docs, top).filter(file -> file.toString().endsWith(".md")).map(ROOT::relativize).sorted().toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void links_lead_to_what_is_there(Path page) throws IOException {
        Set<String> dead = new TreeSet<>();
        for (String link : links(page)) {
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty() ? ROOT.resolve(page) : ROOT.resolve(page).resolveSibling(parts[0]).normalize();
            if (!Files.exists(target) || (parts.length == 2 && !hasHeading(target, parts[1]))) {
                dead.add(link);
            }
        }
        assertThat(dead).as("links of %s that lead nowhere", page).isEmpty();
    }

    private static List<String> links(Path page) throws IOException {
        String text = CODE.matcher(Files.readString(ROOT.resolve(page))).replaceAll("");
        return LINK.matcher(text).results().map(found -> found.group(1)).filter(link -> !link.matches("[a-z]+:.*")).toList();
    }

    private static boolean hasHeading(Path page, String anchor) throws IOException {
        return HEADING.matcher(Files.readString(page)).results()
                .anyMatch(found -> found.group(1).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "").replace(' ', '-').equals(anchor));
    }

    @Test
    void the_index_leads_to_every_page() throws IOException {
        List<Path> linked = links(Path.of("docs/README.md")).stream().map(link -> Path.of("docs").resolve(link).normalize()).toList();
        List<Path> wanted = pages().stream().filter(page -> page.startsWith("docs") && !page.startsWith("docs/plugins") && !page.endsWith("docs/README.md")).toList();
        assertThat(linked).containsAll(wanted);
        assertThat(links(Path.of("README.md"))).contains("docs/README.md");
    }
}
