package dev.cairn.proxy.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads a KubeProxyConfiguration, as kube-proxy takes it by {@code --config}. */
public final class ConfigFile {
    private static final Set<String> LISTS = Set.of("nodePortAddresses", "ipvs.excludeCIDRs");

    private ConfigFile() {}

    /**
     * The settings of a file.
     *
     * @param complaints where what is in it and means nothing is added to, one line each; as with kube-proxy, that is no reason not to run
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static ProxyConfig read(Path file, List<String> complaints) {
        try {
            String text = Files.readString(file);
            ProxyConfig settings = parse(file.toString(), text);
            complaints.addAll(ConfigKeys.unknown(file.toString(), text));
            return settings;
        } catch (NoSuchFileException _) {
            throw new IllegalArgumentException(file + ": there is no such file");
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Settings as a file that {@code read} makes the same of. */
    public static String text(ProxyConfig settings) {
        StringBuilder text = new StringBuilder("apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n");
        Map<String, String> values = new TreeMap<>(settings.values());
        values.keySet().removeAll(List.of("apiVersion", "kind"));
        List<String> groups = List.of();
        for (Map.Entry<String, String> value : values.entrySet()) {
            List<String> path = List.of(value.getKey().split("\\.", -1));
            int same = 0;
            while (same < path.size() - 1 && same < groups.size() && groups.get(same).equals(path.get(same))) {
                same++;
            }
            groups = path.subList(0, path.size() - 1);
            for (int i = same; i < groups.size(); i++) {
                text.append("  ".repeat(i)).append(groups.get(i)).append(":\n");
            }
            text.append("  ".repeat(groups.size())).append(path.getLast()).append(": ").append(quoted(value.getKey(), value.getValue())).append('\n');
        }
        return text.toString();
    }

    private static String quoted(String name, String value) {
        if (LISTS.contains(name)) {
            return Stream.of(value.split(",", -1)).map(item -> quoted("", item)).collect(Collectors.joining(", ", "[", "]"));
        }
        boolean plain = value.matches("true|false") || (value.matches("-?[0-9]{1,9}") && !name.equals("hostnameOverride"));
        return plain ? value : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
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
