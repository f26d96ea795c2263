import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** An OCI image layout: blobs by the digest of their content, and an index of images. */
final class Layout {
    /** A compressed layer, and the digest it has unpacked, by which the configuration names it. */
    record Layer(String name, Blob blob, String unpacked) {}

    /** What a digest and a size tell of. */
    record Blob(String type, String digest, long size) {
        String json() {
            return Json.of("mediaType", type, "digest", digest, "size", size);
        }
    }

    private record Image(String reference, Blob manifest, Blob configuration, List<Layer> layers) {}

    private static final String TYPE = "application/vnd.oci.image.";
    private static final String LAYOUT = Json.of("imageLayoutVersion", "1.0.0");

    /**
     * A file capability, of version 2: NET_BIND_SERVICE permitted, none effective, so that a container that may not have it can run the
     * file all the same.
     */
    private static final byte[] MAY_BIND =
            ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN).putInt(0x02000000).putInt(1 << 10).array();

    private final Path directory;
    private final Map<String, Image> images = new LinkedHashMap<>();

    Layout(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(blobs());
    }

    private Path blobs() {
        return directory.resolve("blobs/sha256");
    }

    /** Makes a layer of some paths of a tree, and of the directories they are in. */
    Layer layer(String name, Tree tree, List<String> paths) throws IOException {
        Path file = Files.createTempFile(blobs(), ".layer", "");
        MessageDigest packed = sha256();
        MessageDigest unpacked = sha256();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
                TarWriter tar = new TarWriter(new DigestOutputStream(
                        new BufferedOutputStream(new GZIPOutputStream(new DigestOutputStream(out, packed), 1 << 16), 1 << 16), unpacked))) {
            for (String path : withDirectories(tree, paths)) {
                Path each = tree.at(path);
                if (Files.isSymbolicLink(each)) {
                    tar.link(path, Files.readSymbolicLink(each).toString());
                } else if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                    tar.directory(path, path.equals("tmp") ? 01777 : 0755);
                } else {
                    if (path.endsWith("bin/launcher")) {
                        tar.attribute("security.capability", MAY_BIND);
                    }
                    tar.file(path, Files.isExecutable(each) ? 0755 : 0644, each);
                }
            }
        }
        Blob blob = new Blob(TYPE + "layer.v1.tar+gzip", digest(packed), Files.size(file));
        Files.move(file, file(blob), StandardCopyOption.REPLACE_EXISTING);
        System.out.printf("%-14s %6.1f MB, %6.1f MB to fetch%n", name, sum(tree, paths) / 1e6, blob.size() / 1e6);
        return new Layer(name, blob, digest(unpacked));
    }

    private static long sum(Tree tree, List<String> paths) throws IOException {
        long sum = 0;
        for (String path : paths) {
            sum += Files.isRegularFile(tree.at(path), LinkOption.NOFOLLOW_LINKS) ? Files.size(tree.at(path)) : 0;
        }
        return sum;
    }

    private static TreeSet<String> withDirectories(Tree tree, List<String> paths) {
        TreeSet<String> all = new TreeSet<>(paths);
        for (String path : paths) {
            for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
                all.add(path.substring(0, slash));
            }
        }
        return all;
    }

    /** Adds an image of layers that are there. */
    void image(String name, String version, String revision, String created, List<Layer> layers, Map<String, String> environment,
            String entry, String user, String title) throws IOException {
        String configuration = Json.of(
                "created", created,
                "architecture", System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64",
                "os", "linux",
                "config", Json.raw(Json.of(
                        "User", user,
                        "ExposedPorts", Json.raw(name.equals(MakeImage.DNS) ? "{\"53/tcp\":{},\"53/udp\":{}}" : "{}"),
                        "Env", environment.entrySet().stream().map(Object::toString).toList(),
                        "Entrypoint", List.of(entry),
                        "WorkingDir", "/",
                        "Labels", Json.raw(Json.of(
                                "org.opencontainers.image.title", title,
                                "org.opencontainers.image.version", version,
                                "org.opencontainers.image.revision", revision,
                                "org.opencontainers.image.licenses", "Apache-2.0")))),
                "rootfs", Json.raw(Json.of("type", "layers", "diff_ids", layers.stream().map(Layer::unpacked).toList())),
                "history", Json.raw(layers.stream().map(layer -> Json.of("created", created, "created_by", "image: " + layer.name()))
                        .collect(Collectors.joining(",", "[", "]"))));
        Blob blob = blob(TYPE + "config.v1+json", configuration);
        String manifest = Json.of("schemaVersion", 2, "mediaType", TYPE + "manifest.v1+json", "config", Json.raw(blob.json()),
                "layers", Json.raw(layers.stream().map(layer -> layer.blob().json()).collect(Collectors.joining(",", "[", "]"))));
        images.put(name, new Image(name + ":" + version, blob(TYPE + "manifest.v1+json", manifest), blob, List.copyOf(layers)));
    }

    private Blob blob(String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MessageDigest digest = sha256();
        digest.update(bytes);
        Blob blob = new Blob(type, digest(digest), bytes.length);
        Files.write(file(blob), bytes);
        return blob;
    }

    private Path file(Blob blob) {
        return blobs().resolve(blob.digest().substring("sha256:".length()));
    }

    /** Writes the index of all images. */
    void finish() throws IOException {
        Files.writeString(directory.resolve("oci-layout"), LAYOUT);
        Files.writeString(directory.resolve("index.json"), index(List.copyOf(images.values())));
    }

    private static String index(List<Image> images) {
        return Json.of("schemaVersion", 2, "mediaType", TYPE + "index.v1+json", "manifests", Json.raw(images.stream()
                .map(image -> Json.of("mediaType", image.manifest().type(), "digest", image.manifest().digest(),
                        "size", image.manifest().size(), "annotations", Json.raw(Json.of(
                                "org.opencontainers.image.ref.name", image.reference(),
                                "io.containerd.image.name", "docker.io/library/" + image.reference()))))
                .collect(Collectors.joining(",", "[", "]"))));
    }

    /** Writes one image as an archive: a layout of its own, with the file beside it by which older engines load it. */
    void archive(String name, Path to) throws IOException {
        Image image = images.get(name);
        List<Blob> blobs = Stream.concat(Stream.of(image.manifest(), image.configuration()), image.layers().stream().map(Layer::blob))
                .sorted(Comparator.comparing(Blob::digest))
                .toList();
        String docker = "[" + Json.of("Config", "blobs/" + path(image.configuration()), "RepoTags", List.of(image.reference()),
                "Layers", image.layers().stream().map(layer -> "blobs/" + path(layer.blob())).toList()) + "]";
        try (TarWriter tar = new TarWriter(new BufferedOutputStream(Files.newOutputStream(to), 1 << 16))) {
            tar.directory("blobs", 0755);
            tar.directory("blobs/sha256", 0755);
            for (Blob blob : blobs) {
                tar.file("blobs/" + path(blob), 0644, file(blob));
            }
            tar.file("index.json", 0644, index(List.of(image)).getBytes(StandardCharsets.UTF_8));
            tar.file("manifest.json", 0644, docker.getBytes(StandardCharsets.UTF_8));
            tar.file("oci-layout", 0644, LAYOUT.getBytes(StandardCharsets.UTF_8));
        }
        System.out.printf("%s: %.1f MB to fetch, in %s%n", image.reference(), blobs.stream().mapToLong(Blob::size).sum() / 1e6, to);
    }

    private static String path(Blob blob) {
        return blob.digest().replace(':', '/');
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String digest(MessageDigest digest) {
        return "sha256:" + HexFormat.of().formatHex(digest.digest());
    }
}
