package dev.cairn.conformance;

import dev.cairn.corefile.CorefileParser;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.ServerBlock;
import dev.cairn.corefile.Token;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Questions to one server.
 *
 * @param source as it stands in the file
 * @param objects the cluster: Kubernetes manifests
 */
record Suite(Map<String, Object> source, List<Object> objects, List<Case> cases) {
    String id() {
        return Facts.text(source, "id");
    }

    String corefile() {
        return Facts.text(source, "corefile");
    }

    /** Whether the cluster's state never gets known to the server. */
    boolean unsynced() {
        return source.containsKey("state");
    }

    /** Whether there is a cluster that the server learns about. */
    boolean getsKnown() {
        return plugins().contains("kubernetes") && !unsynced();
    }

    /** What a plugin below those of the Corefile answers, by name; empty if there is none. Only a server in this process can have it. */
    Map<String, Object> nextHandler() {
        return Facts.map(Facts.map(source.get("autopath")).get("next_handler"));
    }

    /** The addresses of the cluster that server and clients must have because answers depend on them; empty if none do. */
    List<String> addresses() {
        if (corefile().contains("UPSTREAM")) {
            return List.of(); // needs something outside, and none of these cases needs an address
        }
        Stream<String> ofServer = Facts.strings(source.get("local_ips")).stream();
        Stream<String> ofClients = cases.stream().map(Case::from);
        return Stream.concat(ofServer, ofClients).filter(address -> !address.isEmpty() && !address.equals("127.0.0.1")).distinct().toList();
    }

    private ServerBlock block() {
        return CorefileParser.parse("Corefile", corefile(), _ -> null, new Problems()).blocks().getFirst();
    }

    /** The plugins it uses. */
    List<String> plugins() {
        return block().directives().stream().map(directive -> directive.name().text()).distinct().toList();
    }

    /** What stands in the block of a Corefile of one block. */
    String directives(String corefile) {
        return corefile.substring(corefile.indexOf('{') + 1, corefile.lastIndexOf('}'));
    }

    /** A name that is not there, in the zone that is asked for. */
    String missingName() {
        String zone = block().directives().stream()
                .filter(directive -> directive.name().text().equals("kubernetes"))
                .flatMap(directive -> directive.args().stream())
                .map(Token::text)
                .findFirst()
                .orElse("cluster.local");
        return "not-there." + zone;
    }

    @Override
    public String toString() {
        return id();
    }
}
