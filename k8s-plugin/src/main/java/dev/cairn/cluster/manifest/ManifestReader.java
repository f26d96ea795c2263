package dev.cairn.cluster.manifest;

import dev.cairn.cluster.Names;
import dev.cairn.cluster.control.ClusterObject;
import dev.cairn.cluster.control.ClusterObject.ImportObject;
import dev.cairn.cluster.control.ClusterObject.Meta;
import dev.cairn.cluster.control.ClusterObject.NamespaceObject;
import dev.cairn.cluster.control.ClusterObject.NodeObject;
import dev.cairn.cluster.control.ClusterObject.RangeObject;
import dev.cairn.cluster.control.Origin;
import dev.cairn.cluster.control.Problem;
import dev.cairn.facts.Address;
import dev.cairn.facts.NodeFact;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the objects of one text. Kinds that have no part in names are passed over. Used by one thread, for one text. */
public final class ManifestReader {
    private static final System.Logger LOG = System.getLogger(ManifestReader.class.getName());
    /** Lists in lists make no sense, but cost nothing either; deeper ones could be a document that contains itself. */
    private static final int LIST_DEPTH = 4;

    private final String file;
    private final List<ClusterObject> objects = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private boolean whole = true;

    /**
     * What a text holds.
     *
     * @param whole whether all of it could be parsed; an object that is merely wrong does not count against it
     */
    public record Content(List<ClusterObject> objects, List<Problem> problems, boolean whole) {
        public Content {
            objects = List.copyOf(objects);
            problems = List.copyOf(problems);
        }
    }

    private ManifestReader(String file) {
        this.file = file;
    }

    /** Reads all documents of a text; {@code file} names it in messages. */
    public static Content read(String file, String text) {
        ManifestReader reader = new ManifestReader(file);
        YamlDocuments.parse(text, reader::document);
        return new Content(reader.objects, reader.problems, reader.whole);
    }

    private void document(YamlDocuments.Document document) {
        if (document.fault() != null) {
            whole = false;
            problems.add(new Problem(new Origin(file, document.fault().line()), String.valueOf(document.fault().getMessage())));
        } else if (document.value() != null) {
            object(document.value(), "", "", 0);
        }
    }

    private void object(YamlValue value, String defaultKind, String defaultVersion, int depth) {
        String what = "document";
        try {
            String kind = orElse(value.text("kind"), defaultKind);
            String version = orElse(value.text("apiVersion"), defaultVersion);
            if (kind.isEmpty()) {
                throw new ManifestException(value.line(), "kind is missing: not a Kubernetes manifest");
            }
            YamlValue metadata = value.get("metadata");
            what = kind + (metadata == null ? "" : " \"" + metadata.text("name") + "\"");
            if (kind.endsWith("List") && value.get("items") != null && depth < LIST_DEPTH) {
                list(value, kind.substring(0, kind.length() - 4), version, depth);
            } else {
                decode(value, kind, version);
            }
        } catch (ManifestException e) {
            int line = e.line() == 0 ? value.line() : e.line();
            problems.add(new Problem(new Origin(file, line), what + " is invalid: " + e.getMessage()));
        }
    }

    /** The items of a typed list, as the API server gives it, name neither kind nor version. */
    private void list(YamlValue list, String kind, String version, int depth) {
        for (YamlValue item : list.items("items")) {
            object(item, kind, version, depth + 1);
        }
    }

    private void decode(YamlValue value, String kind, String version) {
        int slash = version.indexOf('/');
        String group = slash < 0 ? "" : version.substring(0, slash);
        switch (group + "/" + kind) {
            case "/Namespace" -> objects.add(namespace(value));
            case "/Node" -> objects.add(node(value));
            case "networking.k8s.io/ServiceCIDR" -> objects.add(range(value));
            case "/Service" -> objects.add(new ServiceDecoder(value, meta(value, true)).decode());
            case "/Pod" -> objects.add(PodDecoder.decode(value, meta(value, true)));
            case "/Endpoints" -> objects.addAll(SliceDecoder.endpoints(value, meta(value, true)));
            // A manifest that leaves out its version can only mean these.
            case "discovery.k8s.io/EndpointSlice", "/EndpointSlice" -> objects.add(SliceDecoder.slice(value, meta(value, true)));
            case "multicluster.x-k8s.io/ServiceImport", "multicluster.k8s.io/ServiceImport", "/ServiceImport" ->
                    objects.add(serviceImport(value));
            default -> LOG.log(System.Logger.Level.DEBUG, "{0}:{1}: {2} has no part in names, passed over", file, value.line(), kind);
        }
    }

    private Meta meta(YamlValue value, boolean namespaced) {
        YamlValue metadata = value.get("metadata");
        String name = metadata == null ? "" : metadata.text("name");
        if (metadata == null || name.isEmpty()) {
            throw new ManifestException("metadata.name: Required value: name is required");
        }
        checkName(metadata, "name", Names.faultOfSubdomain(name));
        String namespace = namespaced ? orElse(metadata.text("namespace"), "default") : "";
        if (namespaced) {
            checkName(metadata, "namespace", Names.faultOfLabel(namespace));
        }
        return new Meta(new Origin(file, value.line()), namespace, name, metadata.textMap("labels"));
    }

    private static void checkName(YamlValue metadata, String key, String fault) {
        YamlValue name = metadata.get(key);
        if (!fault.isEmpty() && name != null) {
            throw name.fault(fault);
        }
    }

    private NamespaceObject namespace(YamlValue value) {
        Meta meta = meta(value, false);
        String fault = Names.faultOfLabel(meta.name());
        if (!fault.isEmpty()) {
            throw new ManifestException("metadata.name: Invalid value: \"" + meta.name() + "\": " + fault);
        }
        return new NamespaceObject(meta);
    }

    private NodeObject node(YamlValue value) {
        Meta meta = meta(value, false);
        Map<String, String> labels = meta.labels();
        YamlValue spec = value.get("spec");
        YamlValue status = value.get("status");
        List<Address> addresses = new ArrayList<>();
        for (String type : List.of("InternalIP", "ExternalIP")) {
            for (YamlValue address : status == null ? List.<YamlValue>of() : status.items("addresses")) {
                YamlValue ip = address.get("address");
                if (ip != null && address.text("type").equals(type)) {
                    addresses.add(Fields.address(ip));
                }
            }
        }
        boolean leaving = spec != null && spec.items("taints").stream().anyMatch(taint -> taint.text("key").equals(NodeFact.LEAVING_TAINT));
        return new NodeObject(meta, labels.getOrDefault("topology.kubernetes.io/zone", ""), addresses,
                spec == null ? List.of() : spec.texts("podCIDRs"), leaving);
    }

    private RangeObject range(YamlValue value) {
        YamlValue spec = value.get("spec");
        return new RangeObject(meta(value, false), spec == null ? List.of() : spec.texts("cidrs"));
    }

    private ImportObject serviceImport(YamlValue value) {
        Meta meta = meta(value, true);
        String fault = Names.faultOfLabel(meta.name());
        if (!fault.isEmpty()) {
            throw new ManifestException("metadata.name: Invalid value: \"" + meta.name() + "\": " + fault);
        }
        YamlValue spec = value.get("spec");
        // Newer versions of the API have these at the top.
        YamlValue fields = spec == null ? value : spec;
        return new ImportObject(meta, isHeadless(fields.get("type")), Fields.addresses(fields, "ips"), Fields.ports(fields, "ports"));
    }

    private static boolean isHeadless(@Nullable YamlValue type) {
        if (type == null) {
            return false;
        }
        return switch (type.text()) {
            case "Headless" -> true;
            case "ClusterSetIP" -> false;
            default -> throw type.fault("supported values: \"ClusterSetIP\", \"Headless\"");
        };
    }

    private static String orElse(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}
