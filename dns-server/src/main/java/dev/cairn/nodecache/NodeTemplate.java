package dev.cairn.nodecache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the Corefile of a node's cache from a template, as node-cache does.
 *
 * @param template the file with variables in it
 * @param kubeDns the directory where the ConfigMap {@code kube-dns} is mounted; need not exist
 * @param localAddresses which the cache listens on
 * @param clusterDns the address of the cluster's DNS service; empty if not known
 */
public record NodeTemplate(Path template, Path kubeDns, List<String> localAddresses, String clusterDns, int port) {
    private static final Path NOWHERE = Path.of("/nonexistent");
    private static final String UPSTREAM_SERVERS = "__PILLAR__UPSTREAM__SERVERS__";
    private static final String CLUSTER_DNS = "__PILLAR__CLUSTER__DNS__";
    private static final String LOCAL_DNS = "__PILLAR__LOCAL__DNS__";
    private static final String DNS_SERVER = "__PILLAR__DNS__SERVER__";

    /** Upstreams of one's own choice are asked over UDP, whatever the template says of /etc/resolv.conf. */
    private static final Pattern FORCED_TCP =
            Pattern.compile("(forward[ \\t]+\\S+[ \\t]+" + UPSTREAM_SERVERS + ")[ \\t]*\\{\\s*force_tcp\\s*\\}");

    private static final String WORD = "\\s*\"([^\"\\\\]+)\"\\s*";
    private static final Pattern STRING = Pattern.compile(WORD);
    private static final String LIST_TEXT = "\\s*\\[(?:\\s*|" + WORD + "(?:," + WORD + ")*+)\\]\\s*";
    private static final Pattern LIST = Pattern.compile(LIST_TEXT);
    private static final Pattern DOMAIN = Pattern.compile(WORD + ":\\s*\\[([^\\]]*)\\]");
    private static final Pattern DOMAINS =
            Pattern.compile("\\s*\\{(?:\\s*|" + WORD + ":" + LIST_TEXT + "(?:," + WORD + ":" + LIST_TEXT + ")*+)\\}\\s*");

    /** What the ConfigMap says cannot be used. */
    public static final class BadConfigMap extends IOException {
        private static final long serialVersionUID = 1L;

        BadConfigMap(String sentence) {
            super(sentence);
        }
    }

    /**
     * The Corefile as it is to be now.
     *
     * @throws BadConfigMap with a sentence for the user, if all else is there
     * @throws IOException with a sentence for the user
     */
    public String render() throws IOException {
        String text = read(template);
        List<String> upstreams = strings(part("upstreamNameservers", "[]", LIST, "[\"ADDRESS\", ...]"));
        if (!upstreams.isEmpty()) {
            text = FORCED_TCP.matcher(text).replaceAll("$1");
        }
        if (text.contains(CLUSTER_DNS) && clusterDns.isEmpty()) {
            throw new IOException(template + " has " + CLUSTER_DNS + ", and the address of the cluster's DNS service is not known:"
                    + " name the service with -upstreamsvc (its environment variable must be set), or the address with -kubednsip");
        }
        text = text.replace(UPSTREAM_SERVERS, upstreams.isEmpty() ? "/etc/resolv.conf" : String.join(" ", upstreams))
                .replace(CLUSTER_DNS, clusterDns)
                .replace(LOCAL_DNS, String.join(" ", localAddresses))
                .replace(DNS_SERVER, "");
        StringBuilder corefile = new StringBuilder(text);
        stubDomains().forEach((domain, servers) -> corefile.append('\n').append(domain).append(':').append(port)
                .append(" {\n    errors\n    cache 30\n    bind ").append(String.join(" ", localAddresses))
                .append("\n    forward . ").append(String.join(" ", servers)).append("\n}\n"));
        return corefile.toString();
    }

    private Map<String, List<String>> stubDomains() throws IOException {
        Map<String, List<String>> domains = new TreeMap<>();
        Matcher entries = DOMAIN.matcher(part("stubDomains", "{}", DOMAINS, "{\"DOMAIN\": [\"ADDRESS\", ...], ...}"));
        while (entries.find()) {
            domains.put(entries.group(1), strings(entries.group(2)));
        }
        return domains;
    }

    /** A part of the ConfigMap, which is not there or has its form. */
    private String part(String name, String none, Pattern form, String usage) throws IOException {
        Path file = kubeDns.resolve(name);
        String text = Files.exists(file) ? read(file) : none;
        if (text.isBlank()) {
            return none;
        }
        if (!form.matcher(text).matches()) {
            throw new BadConfigMap(file + " is not what the ConfigMap kube-dns has there; write " + name + ": '" + usage + "'");
        }
        return text;
    }

    /** The same without the ConfigMap. */
    public NodeTemplate withoutConfigMap() {
        return new NodeTemplate(template, NOWHERE, localAddresses, clusterDns, port);
    }

    private static List<String> strings(String json) {
        List<String> found = new ArrayList<>();
        Matcher strings = STRING.matcher(json);
        while (strings.find()) {
            found.add(strings.group(1));
        }
        return found;
    }

    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new IOException(file + " does not exist", e);
        }
    }

    /** The environment variable in which every pod finds the address of a service. */
    public static String environmentOf(String service) {
        return service.replace('-', '_').toUpperCase(Locale.ROOT) + "_SERVICE_HOST";
    }
}
