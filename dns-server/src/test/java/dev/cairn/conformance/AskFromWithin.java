package dev.cairn.conformance;

import dev.cairn.testing.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.xbill.DNS.Message;

/**
 * Asks a server in a network namespace. A thread cannot go there, so that this starts itself as a process which asks there and prints the
 * reply.
 *
 * @param server the process whose namespace it is
 * @param from the address to ask from; empty for that of the kernel's choice
 */
record AskFromWithin(long server, int port, String from) implements DnsClient {
    @Override
    public Message ask(Message query, Transport transport) throws IOException {
        List<String> command = new ArrayList<>(Namespaces.enter(server));
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp", System.getProperty("java.class.path"), AskFromWithin.class.getName(),
                Integer.toString(port), transport.name(), HexFormat.of().formatHex(query.toWire()), from));
        try {
            Programs.Result result = Programs.run(command.toArray(String[]::new));
            if (result.code() != 0) {
                throw new IOException(result.output());
            }
            return new Message(HexFormat.of().parseHex(result.output().strip()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Asks where it runs. Arguments: port, transport, query in hex, address to ask from. */
    public static void main(String[] args) throws IOException {
        InetAddress from = args[3].isEmpty() ? null : InetAddress.getByName(args[3]);
        DnsClient client = new SocketClient(Integer.parseInt(args[0]), 60_000, from);
        Message reply = client.ask(new Message(HexFormat.of().parseHex(args[2])), Transport.valueOf(args[1]));
        System.out.println(HexFormat.of().formatHex(reply.toWire()));
    }
}
