package dev.cairn.server.fuzz;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Router;
import dev.cairn.corefile.Corefile;
import dev.cairn.corefile.CorefileParser;
import dev.cairn.corefile.Problems;
import dev.cairn.log.Log;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.StartHook;
import dev.cairn.server.Instance;
import dev.cairn.server.InstanceBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;

/**
 * Any packet through a server with every plugin that touches queries or answers, over UDP and TCP, from IPv4 and IPv6. Nothing may throw; a
 * reply is to this query, within the client's size, and read by dnsjava to its last byte.
 */
public final class ChainFuzz {
    private static final String COREFILE = """
            . {
                errors
                log . "{remote}:{port} {>id} {type} {class} {name} {proto} {size} {>do} {>bufsize} {rcode} {>rflags} {rsize} {/a/b}" {
                    class all
                }
                prometheus 127.0.0.1:0
                metadata
                cancel
                nsid here
                bufsize 1232
                local
                any
                chaos Cairn-fuzz somebody
                loadbalance
                acl blocked.example {
                    block type AAAA net 10.0.0.0/8
                    filter type TXT
                    drop type MX
                    allow
                }
                header {
                    response set ra
                    query clear rd
                }
                minimal
                hosts {
                    10.0.0.1 www.example.org a.example.org
                    10.0.0.2 www.example.org
                    2001:db8::1 www.example.org
                    fallthrough
                }
                whoami
            }
            example.com {
                hosts {
                    10.0.0.3 *.example.com
                }
            }
            """;

    private static final Router ROUTER = router();
    private static final Dispatcher DISPATCHER = new Dispatcher((_, thrown) -> {
        throw new AssertionError("a plugin threw", thrown);
    });
    private static final Exchange EXCHANGE = new Exchange();
    private static final byte[] ADDRESS = {10, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private ChainFuzz() {}

    private static Router router() {
        Log.redirect(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        Problems problems = new Problems();
        Corefile corefile = CorefileParser.parse("Corefile", COREFILE, _ -> null, problems);
        Instance instance = InstanceBuilder.build(corefile, Host.offline(corefile::digest), 53, problems);
        check(problems.all().isEmpty(), problems.all().toString());
        try {
            for (Block block : instance.blocks()) {
                for (StartHook hook : block.startHooks()) {
                    hook.start();
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return instance.sites().values().iterator().next().router();
    }

    public static void fuzzerTestOneInput(byte[] packet) throws IOException {
        boolean tcp = packet.length > 0 && (packet[0] & 1) != 0;
        int addressLength = packet.length > 0 && (packet[0] & 2) != 0 ? 16 : 4;
        System.arraycopy(packet, 0, EXCHANGE.query().buffer(packet.length), 0, packet.length);
        EXCHANGE.from(tcp ? Protocol.TCP : Protocol.UDP, ADDRESS, 4242, ADDRESS, 53, addressLength);
        Dispatcher.Worker worker = Dispatcher.worker();
        int length = DISPATCHER.handle(EXCHANGE, packet.length, ROUTER, worker, (_, _, _) -> check(false, "kept"));
        if (length == Dispatcher.DROP) {
            return;
        }
        byte[] reply = Arrays.copyOf(worker.out(), length);
        check(reply[0] == packet[0] && reply[1] == packet[1] && (reply[2] & 0x80) != 0, "not a reply to this query");
        check(tcp || length <= Math.min(Dispatcher.MAX_UDP_SIZE, Math.max(512, EXCHANGE.query().udpSize())), "larger than the client takes");
        Record question = new Message(reply).getQuestion();
        int end = EXCHANGE.query().questionEnd();
        check(question == null || Arrays.equals(packet, 12, end, reply, 12, end), "another question");
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
