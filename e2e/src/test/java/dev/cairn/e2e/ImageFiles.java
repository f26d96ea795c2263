package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * An image of the OCI layout that {@code ./gradlew image} makes, read as a registry or an engine would: every blob has the digest and
 * size that it is named by.
 */
record ImageFiles(Path layout, Map<String, Object> configuration, List<Path> layers) {
    static final Path BUILT = Path.of(System.getProperty("cairn.root"), "build", "image");

    /** An image by its name, without the version. */
    static ImageFiles read(String name) throws IOException {
        Path layout = BUILT.resolve("oci");
        assertThat(json(layout.resolve("oci-layout"))).isEqualTo(Map.of("imageLayoutVersion", "1.0.0"));
        for (Object each : list(json(layout.resolve("index.json")).get("manifests"))) {
            String reference = Objects.toString(map(map(each).get("annotations")).get("org.opencontainers.image.ref.name"));
            if (reference.startsWith(name + ":")) {
                Map<String, Object> manifest = json(blob(layout, map(each)));
                List<Path> layers = new java.util.ArrayList<>();
                for (Object layer : list(manifest.get("layers"))) {
                    assertThat(map(layer)).containsEntry("mediaType", "application/vnd.oci.image.layer.v1.tar+gzip");
                    layers.add(blob(layout, map(layer)));
                }
                return new ImageFiles(layout, json(blob(layout, map(manifest.get("config")))), layers);
            }
        }
        throw new AssertionError("no image " + name);
    }

    /** What the container is to be run with. */
    Map<String, Object> config() {
        return map(configuration.get("config"));
    }

    /** Unpacks all layers, one above the other. */
    void unpack(Path root) throws IOException, InterruptedException {
        for (Path layer : layers) {
            Programs.Result result = Programs.run(
                    "tar", "--xattrs", "--xattrs-include=*", "--same-owner", "-xpzf", layer.toString(), "-C", root.toString());
            assertThat(result.code()).as(result.output()).isZero();
        }
    }

    private static Path blob(Path layout, Map<String, Object> descriptor) throws IOException {
        String digest = Objects.toString(descriptor.get("digest"));
        Path file = layout.resolve("blobs").resolve(digest.replace(':', '/'));
        assertThat(Files.size(file)).isEqualTo(((Number) Objects.requireNonNull(descriptor.get("size"))).longValue());
        assertThat(digest).isEqualTo("sha256:" + sha256(Files.readAllBytes(file)));
        return file;
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> json(Path file) throws IOException {
        return map(new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file)));
    }

    @SuppressWarnings("unchecked") // keys of JSON are strings
    static Map<String, Object> map(@org.jspecify.annotations.Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(@org.jspecify.annotations.Nullable Object value) {
        return (List<Object>) Objects.requireNonNull(value);
    }
}
