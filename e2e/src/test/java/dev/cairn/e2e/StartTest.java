package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Rcode;

/**
 * Which classes of ours, and of our libraries, a start has to read from a jar or to make, because the AOT cache of the installation has not got them: each takes
 * up to some milliseconds, of which the first answer has few. Those of a new lambda or switch over types in the way of a start belong into the training
 * run, or are better written without. The JDK's are not told: most are for system calls, and no two starts have the same.
 */
@ExtendWith(SharedCluster.class)
class StartTest {
    private static final Pattern LOADED = Pattern.compile("\\[class,load\\] (\\S+) source: (.*)");
    private static final Pattern OF_THE_JDK = Pattern.compile("(javax?|jdk|sun|com\\.sun)\\..*");
    private static final Pattern ADDRESS = Pattern.compile("/0x[0-9a-f]+");
    /** Classes of picocli's age are not kept in a cache; Netty looks for an annotation, for which the JDK makes a class each time. */
    private static final List<String> ALWAYS = List.of("picocli.CommandLine$PicocliException", "picocli.CommandLine$InitializationException", "io.netty.channel.$Proxy#");

    /** A training run has no service account. The switch over all kinds of facts, which takes half a millisecond, is worth it to its readers. */
    private static final List<String> OF_A_POD = List.of("dev.cairn.cluster.api.Credentials$TokenFile", "dev.cairn.zone.ClusterStore$$TypeSwitch");

    @TempDir
    Path directory;

    /** Starts it by a command, waits for an answer with some code, and tells which classes were not in the cache until then. */
    private List<String> uncached(List<String> wrapper, String corefile, String name, int code) throws IOException {
        Path log = directory.resolve("classes");
        Files.writeString(directory.resolve("Corefile"), corefile);
        List<String> logging = Stream.concat(Stream.of("env", "CAIRN_OPTS=-Xlog:class+load:file=" + log), wrapper.stream()).toList();
        try (CairnProcess cairn = CairnProcess.startInstalled(logging, directory, "-conf", "Corefile", "-p", "0")) {
            int port = cairn.port();
            Awaitility.await().until(() -> PodOfCairn.ask(port, name, "A").getRcode() == code);
        }
        List<Matcher> loaded = Files.readAllLines(log).stream().map(LOADED::matcher).filter(Matcher::find).toList();
        assertThat(loaded).as("all classes").hasSizeGreaterThan(2000);
        return loaded.stream().filter(line -> !line.group(2).startsWith("shared objects file") && !OF_THE_JDK.matcher(line.group(1)).matches())
                .map(line -> ADDRESS.matcher(line.group(1)).replaceFirst("").replaceFirst("[$]Proxy[0-9]+$", "\\$Proxy#"))
                .filter(one -> !ALWAYS.contains(one))
                .toList();
    }

    @Test
    void aStartWithAHostsFileFindsItsClassesInTheCache() throws Exception {
        assertThat(uncached(List.of(), """
                . {
                    errors
                    prometheus 127.0.0.1:0
                    loadbalance
                    hosts {
                        192.0.2.1 web.example
                    }
                }
                """, "web.example", Rcode.NOERROR)).isEmpty();
    }

    @Test
    void aStartInAPodFindsItsClassesInTheCache(RealCluster cluster) throws Exception {
        PodView pod = new PodView(cluster, directory, cluster.admin().tokenFor("kube-system", SharedCluster.ACCOUNT));
        assertThat(uncached(pod.prefix(), """
                . {
                    errors
                    ready 127.0.0.1:0
                    kubernetes cluster.local in-addr.arpa ip6.arpa {
                        pods insecure
                        fallthrough in-addr.arpa ip6.arpa
                        ttl 30
                    }
                    prometheus 127.0.0.1:0
                    cache 30
                    loop
                    reload
                    loadbalance
                }
                """, "not-there.cluster.local", Rcode.NXDOMAIN)).containsExactlyInAnyOrderElementsOf(OF_A_POD);
    }
}
