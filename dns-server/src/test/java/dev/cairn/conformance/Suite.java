package dev.cairn.conformance;

import dev.cairn.corefile.CorefileParser;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.ServerBlock;
import dev.cairn.corefile.Token;
import java.util.List;
import java.util.Map;

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

    private ServerBlock block() {
        return CorefileParser.parse("Corefile", corefile(), _ -> null, new Problems()).blocks().getFirst();
    }

    /** The plugins it uses. */
    List<String> plugins() {
        return block().directives().stream().map(directive -> directive.name().text()).distinct().toList();
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
