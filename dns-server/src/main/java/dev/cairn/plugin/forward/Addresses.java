package dev.cairn.plugin.forward;

import dev.cairn.plugin.forward.Destination.Kind;
import dev.cairn.upstream.Upstream.Scheme;
import dev.cairn.wire.IpAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** Turns destinations that are files or names into addresses, when the block starts. May take as long as looking up names does. */
final class Addresses {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final List<Destination> resolvers;
    private final String serverName;

    /** @param serverName whom certificates must be for; empty for what each destination says */
    Addresses(List<Destination> resolvers, String serverName) {
        this.resolvers = resolvers;
        this.serverName = serverName;
    }

    List<Destination> expand(List<Destination> all) throws IOException {
        List<Destination> addresses = new ArrayList<>();
        for (Destination one : all) {
            switch (one.kind()) {
                case ADDRESS -> addresses.add(one);
                case FILE -> addresses.addAll(nameservers(Path.of(one.host())));
                case NAME -> {
                    for (InetAddress address : lookUp(one.host())) {
                        addresses.add(new Destination(one.scheme(), Kind.ADDRESS, address.getHostAddress(), one.port(), nameOf(one)));
                    }
                }
            }
        }
        return addresses;
    }

    /** Whom the certificate must be for: the name that was written, not the address that somebody says it has (RFC 8310 section 8.1). */
    private String nameOf(Destination named) {
        boolean byName = named.scheme() != Scheme.DNS && named.zone().isEmpty() && serverName.isEmpty();
        return byName ? named.host().replaceFirst("\\.$", "") : named.zone();
    }

    /** The servers of a file like {@code /etc/resolv.conf} (resolv.conf(5)); an interface after an address is left out, as CoreDNS does. */
    private static List<Destination> nameservers(Path file) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new IOException("plugin/forward: there is no file " + file + "; write the address of a server instead", e);
        } catch (IOException e) {
            throw new IOException("plugin/forward: cannot read " + file + ": " + e.getMessage(), e);
        }
        List<Destination> servers = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.strip().split("\\s+", -1);
            String address = words.length > 1 ? words[1].replaceFirst("%.*", "") : "";
            if (words[0].equals("nameserver") && IpAddress.parse(address) != null) {
                servers.add(new Destination(Scheme.DNS, Kind.ADDRESS, address, 53, ""));
            }
        }
        return servers;
    }

    private List<InetAddress> lookUp(String name) throws IOException {
        String absolute = name.endsWith(".") ? name : name + ".";
        if (resolvers.isEmpty()) {
            try {
                return Arrays.asList(InetAddress.getAllByName(absolute));
            } catch (UnknownHostException e) {
                throw new IOException("plugin/forward: no addresses found for " + name
                        + ": correct the name, or add a line 'resolver ADDRESS'", e);
            }
        }
        String last = "it has none";
        for (Destination resolver : resolvers) {
            try {
                List<InetAddress> found = new ArrayList<>(ask(resolver, absolute, Type.A));
                found.addAll(ask(resolver, absolute, Type.AAAA));
                if (!found.isEmpty()) {
                    return found;
                }
            } catch (IOException e) {
                last = resolver.host() + ": " + e.getMessage();
            }
        }
        throw new IOException("plugin/forward: no addresses found for " + name + ": " + last);
    }

    private static List<InetAddress> ask(Destination resolver, String name, int type) throws IOException {
        SimpleResolver client = new SimpleResolver(new InetSocketAddress(resolver.host(), resolver.port()));
        client.setTimeout(TIMEOUT);
        Message reply = client.send(Message.newQuery(Record.newRecord(Name.fromString(name), type, DClass.IN)));
        List<InetAddress> addresses = new ArrayList<>();
        for (Record record : reply.getSection(Section.ANSWER)) {
            if (record instanceof ARecord v4) {
                addresses.add(v4.getAddress());
            } else if (record instanceof AAAARecord v6) {
                addresses.add(v6.getAddress());
            }
        }
        return addresses;
    }
}
