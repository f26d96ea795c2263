package dev.cairn.corefile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Corefiles that clusters come with. */
class DefaultCorefilesTest {

    @TempDir
    Path directory;

    private static String resource(String name) {
        try (InputStream in = DefaultCorefilesTest.class.getResourceAsStream("/corefiles/" + name + ".corefile")) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Reading read(String name) {
        String text = resource(name).replace("/etc/coredns", directory.toString());
        Reading reading = Reading.of(directory.resolve("Corefile").toString(), text, Map.of());
        ZoneKeys.reportDuplicates(reading.corefile().blocks(), 53, reading.problems());
        return reading;
    }

    private void customize() throws IOException {
        Path custom = Files.createDirectory(directory.resolve("custom"));
        Files.writeString(custom.resolve("a.override"), "rewrite name a.org b.org\n");
        Files.writeString(custom.resolve("b.server"), "corp.example:53 {\n    forward . 10.1.1.1\n}\n");
    }

    @ParameterizedTest
    @CsvSource({"kubeadm, 1, 10", "k3s, 2, 12", "eks, 1, 10", "aks, 2, 13", "openshift, 3, 6", "nodelocal, 4, 8"})
    void defaultCorefilesHaveNoProblems(String name, int blocks, int directivesOfFirst) throws IOException {
        customize();
        Reading reading = read(name);
        assertThat(reading.messages()).isEmpty();
        assertThat(reading.corefile().blocks()).hasSize(blocks);
        assertThat(reading.corefile().blocks().getFirst().directives()).hasSize(directivesOfFirst);
    }

    @ParameterizedTest
    @CsvSource({"k3s, 20", "aks, 18"})
    void withoutCustomFilesThereAreOnlyWarnings(String name, int line) {
        Reading reading = read(name);
        assertThat(reading.problems().hasErrors()).isFalse();
        assertThat(reading.problems().all()).hasSize(2);
        assertThat(reading.problems().all().getFirst().at().line()).isEqualTo(line);
    }

    @Test
    void kubeadmIsUnderstoodWordByWord() {
        assertThat(read("kubeadm").shown()).isEqualTo(".:53 { errors; health { lameduck 5s }; ready; "
            + "kubernetes cluster.local in-addr.arpa ip6.arpa { pods insecure; fallthrough in-addr.arpa ip6.arpa; ttl 30 }; "
            + "prometheus :9153; "
            + "forward . /etc/resolv.conf { max_concurrent 1000 }; cache 30 { disable success cluster.local; disable denial "
            + "cluster.local }; "
            + "loop; reload; loadbalance }");
    }

    @Test
    void aksPatternsKeepTheirBackslashes() {
        List<Directive> templates = read("aks").corefile().blocks().getFirst().uses("template");
        assertThat(templates.getFirst().block().getFirst().args().getFirst().text())
            .isEqualTo("^(?:[^.]+\\.){4,}internal\\.cloudapp\\.net\\.$");
    }
}
