package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** The installed server as it finds itself in a pod. */
final class PodOfCairn implements AutoCloseable {
    private final PodView view;
    private final CairnProcess process;
    private final int port;

    /** @param kubernetes what stands in the block of the kubernetes plugin */
    PodOfCairn(RealCluster cluster, Path directory, String token, String kubernetes) throws IOException {
        view = new PodView(cluster, directory, token);
        Files.writeString(directory.resolve("Corefile"), """
                . {
                    errors
                    kubernetes cluster.local in-addr.arpa ip6.arpa {
                        %s
                    }
                }
                """.formatted(kubernetes.indent(8).strip()));
        process = CairnProcess.startInstalled(view.prefix(), directory, "-conf", "Corefile", "-p", "0");
        port = process.port();
    }

    /** Puts another token in place of the old one, as the kubelet does. */
    void rotate(String token) throws IOException {
        view.rotate(token);
    }

    int port() {
        return port;
    }

    CairnProcess process() {
        return process;
    }

    void awaitReady() {
        await("the cluster is known", () -> assertThat(Rcode.string(ask("not-there.cluster.local", "A").getRcode())).isEqualTo("NXDOMAIN"));
    }

    Message ask(String name, String type) throws IOException {
        return ask(port, name, type);
    }

    static Message ask(int port, String name, String type) throws IOException {
        SimpleResolver resolver = new SimpleResolver(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        resolver.setEDNS(-1);
        resolver.setTimeout(Duration.ofMinutes(2));
        return resolver.send(Message.newQuery(Record.newRecord(Name.fromString(name, Name.root), Type.value(type), DClass.IN)));
    }

    /** The data of all answers as text, sorted; the code if there are none. */
    List<String> answers(String name, String type) throws IOException {
        Message reply = ask(name, type);
        List<String> data = reply.getSection(Section.ANSWER).stream().map(Record::rdataToString).sorted().toList();
        return data.isEmpty() ? List.of(Rcode.string(reply.getRcode())) : data;
    }

    /** Waits until a question is answered so, in any order; {@code NXDOMAIN} or {@code NOERROR} alone for no records. */
    void becomes(String name, String type, String... expected) {
        await(name + " " + type, () -> assertThat(answers(name, type)).containsExactlyInAnyOrder(expected));
    }

    private void await(String what, org.awaitility.core.ThrowingRunnable condition) {
        try {
            Awaitility.await(what).pollInterval(Duration.ofMillis(5)).pollDelay(Duration.ZERO).untilAsserted(condition);
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError(e.getMessage() + "\n" + String.join("\n", process.output()), e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
