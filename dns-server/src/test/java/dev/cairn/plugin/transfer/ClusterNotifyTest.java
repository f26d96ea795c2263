package dev.cairn.plugin.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.Manifests;
import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Other servers are told when a cluster has changed. */
class ClusterNotifyTest {
    @TempDir
    Path manifests;

    private void write(String address) throws IOException {
        Manifests.write(manifests, Manifests.service("web", "{clusterIP: " + address + ", externalIPs: [192.0.2.7], ports: [{port: 80}]}"));
    }

    private static List<byte[]> accept(ScriptedUpstream.Asked asked) throws IOException {
        Message reply = new Message(asked.query().getHeader().getID());
        reply.getHeader().setOpcode(Opcode.NOTIFY);
        reply.getHeader().setFlag(Flags.QR);
        reply.addRecord(asked.query().getQuestion(), Section.QUESTION);
        return List.of(reply.toWire());
    }

    private static long told(ScriptedUpstream secondary, String zone) {
        return secondary.asked().stream().filter(asked -> asked.query().getHeader().getOpcode() == Opcode.NOTIFY && asked.name().equals(zone)).count();
    }

    @Test
    void aServerIsToldOfTheZonesOfAClusterAtStartAndAfterAChange() throws Exception {
        write("10.96.0.10");
        try (ScriptedUpstream secondary = ScriptedUpstream.start(ClusterNotifyTest::accept);
                TestServer server = TestServer.start("""
                        cluster.local outside.test {
                            kubernetes cluster.local {
                                manifests %s
                            }
                            k8s_external outside.test
                            transfer {
                                to %s
                            }
                        }
                        """.formatted(manifests, secondary.address()))) {
            await().until(() -> told(secondary, "cluster.local.") > 0 && told(secondary, "outside.test.") > 0);
            long inside = told(secondary, "cluster.local.");
            long outside = told(secondary, "outside.test.");
            write("10.96.0.11");
            await().until(() -> told(secondary, "cluster.local.") > inside && told(secondary, "outside.test.") > outside);
            assertThat(TestServer.answers(server.ask("web.shop.svc.cluster.local", Type.A))).singleElement().asString().endsWith("10.96.0.11");
        }
    }
}
