import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the container images, without a container engine and without a base image, in two steps. Between them the commands in the trees
 * are run, so that an AOT cache is made by the very files that use it.
 *
 * <pre>
 * java MakeImage.java stage JDK DNS PROXY BOTH OUT        makes the trees OUT/cairn and OUT/cairn-node of installations
 * java MakeImage.java pack OUT VERSION REVISION CREATED   makes the layout OUT/oci and an archive of each image
 * </pre>
 *
 * The image {@code cairn} is the DNS server and nothing else. {@code cairn-node} has the same layers, and above them the proxy, the
 * command that is both, and the programs that these and {@code cairn node-cache} run. The same input gives the same bytes.
 */
final class MakeImage {
    static final String DNS = "cairn";
    static final String NODE = "cairn-node";
    static final String PROXY = "cairn-proxy";

    private MakeImage() {}

    public static void main(String[] args) throws Exception {
        try {
            switch (args[0]) {
                case "stage" -> stage(Path.of(args[1]), Path.of(args[2]), Path.of(args[3]), Path.of(args[4]), Path.of(args[5]));
                case "pack" -> pack(Path.of(args[1]), args[2], args[3], args[4]);
                default -> throw new IOException("stage or pack, not " + args[0]);
            }
        } catch (IOException e) {
            System.err.println("image: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void stage(Path jdk, Path dns, Path proxy, Path both, Path out) throws IOException {
        Tree.delete(out);
        Tree tree = new Tree(out.resolve(DNS));
        Stage stage = new Stage(tree);
        stage.runtime(jdk);
        stage.program(dns, DNS, List.of(DNS, "coredns"));
        stage.accounts();
        stage.librariesOf(tree.files("opt/cairn/runtime", "usr/lib"));
        stage.bill(jdk, dns, DNS);
        tree.settle();

        Tree node = tree.copy(out.resolve(NODE));
        Stage more = new Stage(node);
        more.program(proxy, PROXY, List.of(PROXY, "usr/local/bin/" + PROXY, "usr/local/bin/kube-proxy"));
        more.program(both, NODE, List.of(NODE, "cairn-up"));
        more.networkPrograms();
        more.bill(jdk, both, NODE);
        node.settle();
    }

    private static void pack(Path out, String version, String revision, String created) throws IOException {
        Tree tree = new Tree(out.resolve(DNS));
        Tree node = new Tree(out.resolve(NODE));
        Tree.delete(out.resolve("oci"));
        Layout layout = new Layout(out.resolve("oci"));

        List<Layout.Layer> layers = new ArrayList<>();
        Map<String, List<String>> parts = parts(tree.paths());
        for (String part : List.of("system", "runtime", "program", "cache")) {
            layers.add(layout.layer(part, tree, parts.get(part)));
        }
        Map<String, String> environment = Stage.environment(tree, DNS);
        layout.image(DNS, version, revision, created, layers, environment, "/coredns", "65532:65532",
                "Cairn, a DNS server for Kubernetes clusters");

        List<String> added = new ArrayList<>(node.paths());
        added.removeAll(tree.paths());
        parts = parts(added);
        for (String part : List.of("system", "program", "cache")) {
            layers.add(layout.layer("node " + part, node, parts.get(part)));
        }
        environment.putAll(Stage.environment(node, PROXY));
        layout.image(NODE, version, revision, created, layers, environment, "/cairn-proxy", "0:0",
                "Cairn for nodes: a Service proxy, a DNS cache, and both names and Services in one process");
        layout.finish();
        for (String name : List.of(DNS, NODE)) {
            layout.archive(name, out.resolve(name + ".tar"));
        }
    }

    /** Files by how often they change, so that an upgrade fetches only some layers. */
    private static Map<String, List<String>> parts(List<String> paths) {
        Map<String, List<String>> parts = new TreeMap<>();
        for (String path : paths) {
            boolean own = path.startsWith("opt/cairn") || path.startsWith("usr/local") || path.contains("/libnetty") || !path.contains("/");
            String part = path.startsWith("opt/cairn/runtime") ? "runtime" : path.endsWith(".aot") ? "cache" : own ? "program" : "system";
            parts.computeIfAbsent(part, _ -> new ArrayList<>()).add(path);
        }
        return parts;
    }
}
