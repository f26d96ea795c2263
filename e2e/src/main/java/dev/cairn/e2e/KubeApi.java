package dev.cairn.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Writes objects, given as YAML, to an API server. What the server refuses is an {@link IOException} with its words. Safe for use by any thread. */
public final class KubeApi {
    private static final String YAML = "application/yaml";
    private static final String JSON = "application/json";

    private final String url;
    private final String token;
    private final HttpClient client;

    KubeApi(String url, String token, Path authority) {
        this.url = url;
        this.token = token;
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(trusting(authority)).build();
    }

    /** What speaks TLS with servers whose certificates an authority signed. */
    public static SSLContext trusting(Path authority) {
        try (InputStream pem = Files.newInputStream(authority)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("authority-" + store.size(), certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("cannot trust " + authority, e);
        }
    }

    /** Creates every document, with the status it has, which the server takes only afterwards. */
    public void create(String documents) throws IOException {
        for (Object document : all(documents)) {
            create(map(document));
        }
    }

    /** Creates an object, with its status if it has one. */
    public void create(Map<String, Object> object) throws IOException {
        send("POST", collection(object), json(object), JSON);
        if (object.containsKey("status")) {
            merge(path(object) + "/status", Map.of("status", Objects.requireNonNull(object.get("status"))));
        }
    }

    /** Puts every document in the place of the object with the same name, and its status. */
    public void replace(String documents) throws IOException {
        for (Object document : all(documents)) {
            Map<String, Object> object = map(document);
            send("PUT", path(object), json(object), JSON);
            if (object.containsKey("status")) {
                merge(path(object) + "/status", Map.of("status", Objects.requireNonNull(object.get("status"))));
            }
        }
    }

    /**
     * Asks the server whether it would take every document as {@code kubectl apply} would send it. Fields that it does not know, or that are
     * there twice, are refused. Nothing is kept.
     */
    public void wouldApply(String documents) throws IOException {
        for (Object document : all(documents)) {
            Map<String, Object> object = map(document);
            String asked = path(object) + "?fieldManager=cairn&force=true&fieldValidation=Strict&dryRun=All";
            send("PATCH", asked, json(object), "application/apply-patch+yaml");
        }
    }

    /** Changes some fields of an object; a null takes one away. */
    public void merge(String path, Map<String, @Nullable Object> change) throws IOException {
        send("PATCH", path, json(change), "application/merge-patch+json");
    }

    /** Deletes an object by its path, at once. A namespace goes with all that is in it, as if the controller were there. */
    public void delete(String path) throws IOException {
        send("DELETE", path + "?gracePeriodSeconds=0", null, YAML);
        String namespaces = "/api/v1/namespaces/";
        if (path.startsWith(namespaces) && path.indexOf('/', namespaces.length()) < 0) {
            for (String kind : List.of("/apis/discovery.k8s.io/v1" + path.substring(7) + "/endpointslices", path + "/pods")) {
                send("DELETE", kind + "?gracePeriodSeconds=0", null, YAML);
            }
            for (Object service : list(map(parse(get(path + "/services"))).get("items"))) {
                send("DELETE", path + "/services/" + name(map(service)), null, YAML);
            }
            send("PUT", path + "/finalize", "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + path.substring(namespaces.length())
                    + "}\nspec: {finalizers: []}\n", YAML);
        }
    }

    public String get(String path) throws IOException {
        return send("GET", path, null, YAML);
    }

    /** Creates an object from text that is sent as it is, for writing many of them fast. */
    public void post(String collection, String json) throws IOException {
        send("POST", collection, json, JSON);
    }

    /** A token that the API server issues for a service account, as the kubelet has them made for pods. */
    public String tokenFor(String namespace, String account) throws IOException {
        String reply = send("POST", "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + account + "/token", """
                apiVersion: authentication.k8s.io/v1
                kind: TokenRequest
                spec: {expirationSeconds: 3600}
                """, YAML);
        return Objects.toString(map(map(parse(reply)).get("status")).get("token"));
    }

    /** Sends anything, and returns what the server says. */
    private String send(String method, String path, @Nullable String body, String type) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", type)
                .header("Accept", "application/json")
                .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response;
        try {
            response = client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (response.statusCode() >= 300) {
            throw new IOException(method + " " + path + ": " + response.statusCode() + " " + response.body());
        }
        return response.body();
    }

    /** The path of an object's collection, as its kind and namespace say. */
    public static String collection(Map<String, Object> object) {
        String version = text(object, "apiVersion");
        String kind = text(object, "kind");
        String namespace = text(map(object.get("metadata")), "namespace");
        return (version.contains("/") ? "/apis/" : "/api/") + version + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
                + "/" + plural(kind);
    }

    private static String plural(String kind) {
        String word = kind.toLowerCase(Locale.ROOT);
        return word.endsWith("y") ? word.substring(0, word.length() - 1) + "ies" : word + "s";
    }

    /** The path of an object. */
    public static String path(Map<String, Object> object) {
        return collection(object) + "/" + name(object);
    }

    /** Where the API server keeps an object in etcd. */
    static String key(Map<String, Object> object) {
        String plural = text(object, "kind").toLowerCase(Locale.ROOT) + "s";
        String group = text(object, "apiVersion").replaceAll("/?[^/]*$", "");
        String namespace = text(map(object.get("metadata")), "namespace");
        String place = switch (plural) {
            case "services" -> "services/specs";
            case "serviceimports" -> group + "/" + plural;
            default -> plural;
        };
        return "/registry/" + place + (namespace.isEmpty() ? "" : "/" + namespace) + "/" + name(object);
    }

    private static String name(Map<String, Object> object) {
        return text(map(object.get("metadata")), "name");
    }

    private static List<Object> all(String documents) {
        List<Object> all = new ArrayList<>();
        new Load(LoadSettings.builder().build()).loadAllFromString(documents).forEach(all::add);
        all.removeIf(Objects::isNull);
        return all;
    }

    private static @Nullable Object parse(String text) {
        return new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    static String json(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Map<?, ?> fields -> fields.entrySet().stream()
                    .map(field -> json(field.getKey()) + ":" + json(field.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
            case List<?> items -> items.stream().map(KubeApi::json).collect(Collectors.joining(",", "[", "]"));
            case String text -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
            default -> value.toString();
        };
    }

    @SuppressWarnings("unchecked") // keys of Kubernetes objects are strings
    private static Map<String, Object> map(@Nullable Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(@Nullable Object value) {
        return value == null ? List.of() : (List<Object>) value;
    }

    private static String text(Map<String, Object> from, String key) {
        return Objects.toString(from.get(key), "");
    }
}
