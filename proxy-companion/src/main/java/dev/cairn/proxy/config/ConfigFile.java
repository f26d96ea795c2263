package dev.cairn.proxy.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads a KubeProxyConfiguration, as kube-proxy takes it by {@code --config}. */
public final class ConfigFile {
    private ConfigFile() {}

    /**
     * The settings of a file.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static ProxyConfig read(Path file) {
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (NoSuchFileException _) {
            throw new IllegalArgumentException(file + ": there is no such file");
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    static ProxyConfig parse(String file, String text) {
        Object document;
        try {
            document = new Load(LoadSettings.builder().build()).loadFromString(text);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException(file + ": not YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s*\\n\\s*", ", "), e);
        }
        if (!(document instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException(file + ": not a KubeProxyConfiguration: write \"kind: KubeProxyConfiguration\"");
        }
        Object kind = map.get("kind");
        if (kind != null && !kind.equals("KubeProxyConfiguration")) {
            throw new IllegalArgumentException(file + ": kind is " + kind + ", not KubeProxyConfiguration");
        }
        Map<String, String> values = new TreeMap<>();
        flatten("", map, values);
        return new ProxyConfig(values);
    }

    private static void flatten(String prefix, Map<?, ?> map, Map<String, String> values) {
        map.forEach((key, value) -> {
            String name = prefix + key;
            if (value instanceof Map<?, ?> inner) {
                flatten(name + ".", inner, values);
            } else if (value instanceof List<?> list) {
                values.put(name, list.stream().map(String::valueOf).collect(Collectors.joining(",")));
            } else if (value != null) {
                values.put(name, value.toString());
            }
        });
    }
}
