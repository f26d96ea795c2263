package dev.cairn.cluster.api;

import io.fabric8.kubernetes.api.model.AuthProviderConfig;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.OpenIDConnectionUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Turns options into fabric8's configuration. Reads files anew each time it is asked. */
final class Credentials {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int TOKEN_SECONDS = 30;

    private final ApiOptions options;
    private final Map<String, String> environment;

    Credentials(ApiOptions options, Map<String, String> environment) {
        this.options = options;
        this.environment = Map.copyOf(environment);
    }

    /** How to name the server as long as its URL is not known. */
    String origin() {
        Path kubeconfig = options.kubeconfig();
        if (kubeconfig != null) {
            return "of " + kubeconfig;
        }
        String endpoint = options.endpoint();
        return endpoint != null ? endpoint : "of this cluster";
    }

    /** Reads what there is to read. */
    Config read() throws IOException {
        Config config = origins();
        keyAlgorithm(config);
        freshToken(config);
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setUserAgent("cairn");
        return config;
    }

    private Config origins() throws IOException {
        Path kubeconfig = options.kubeconfig();
        if (kubeconfig != null) {
            return kubeconfig(kubeconfig, options.context());
        }
        String endpoint = options.endpoint();
        return endpoint != null ? endpoint(endpoint, options.tls()) : serviceAccount();
    }

    private static Config kubeconfig(Path file, @Nullable String context) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException("kubeconfig " + file + " cannot be read");
        }
        Config config;
        try {
            config = Config.fromKubeconfig(context, file.toFile());
        } catch (KubernetesClientException e) {
            throw new IOException("kubeconfig " + file + ": " + e.getMessage(), e);
        }
        // fabric8 takes the file's current context when it does not find the one that was asked for.
        var current = config.getCurrentContext();
        if (current == null || (context != null && !context.equals(current.getName()))) {
            var known = config.getContexts();
            List<String> names = known == null ? List.of() : known.stream().map(each -> each.getName()).sorted().toList();
            throw new IOException("kubeconfig " + file + " has no " + (context == null ? "current context" : "context \"" + context + "\"")
                    + "; it has " + String.join(", ", names));
        }
        tokenFile(config, file, current.getContext().getUser());
        return config;
    }

    /** A kubeconfig may name a file that the token is in, as kube-proxy's does; fabric8 does not look at that. */
    private static void tokenFile(Config config, Path kubeconfig, @Nullable String user) throws IOException {
        for (NamedAuthInfo each : KubeConfigUtils.parseConfig(kubeconfig.toFile()).getUsers()) {
            if (each.getName().equals(user) && each.getUser() != null && each.getUser().getTokenFile() != null) {
                Path file = kubeconfig.resolveSibling(each.getUser().getTokenFile());
                readable(file);
                config.setOauthTokenProvider(new TokenFile(file));
            }
        }
    }

    private static Config endpoint(String endpoint, ApiOptions.@Nullable Tls tls) throws IOException {
        Config config = Config.empty();
        config.setMasterUrl(endpoint);
        if (tls != null) {
            config.setClientCertFile(readable(tls.certificate()));
            config.setClientKeyFile(readable(tls.key()));
            config.setCaCertFile(readable(tls.authority()));
        }
        return config;
    }

    private Config serviceAccount() throws IOException {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        if (host.isEmpty()) {
            throw new IOException("KUBERNETES_SERVICE_HOST is not set, so this is no pod: write an endpoint or a kubeconfig");
        }
        Config config = Config.empty();
        config.setMasterUrl("https://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port);
        config.setCaCertFile(readable(options.serviceAccount().resolve("ca.crt")));
        Path token = options.serviceAccount().resolve("token");
        readable(token);
        config.setOauthTokenProvider(new TokenFile(token));
        return config;
    }

    /** fabric8 takes every key in PKCS #8 form for RSA; the certificate knows better. */
    private static void keyAlgorithm(Config config) throws IOException {
        String data = config.getClientCertData();
        String file = config.getClientCertFile();
        if (data == null && file == null) {
            return;
        }
        try {
            byte[] pem = data != null ? Base64.getMimeDecoder().decode(data) : Files.readAllBytes(Path.of(file));
            Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
            config.setClientKeyAlgo(certificate.getPublicKey().getAlgorithm());
        } catch (CertificateException | IllegalArgumentException e) {
            throw new IOException("the client's certificate cannot be read: " + e.getMessage(), e);
        }
    }

    /** An OpenID Connect provider is asked for a new token when that of the kubeconfig has expired. */
    private static void freshToken(Config config) throws IOException {
        AuthProviderConfig provider = config.getAuthProvider();
        if (provider == null || !"oidc".equalsIgnoreCase(provider.getName()) || !OpenIDConnectionUtils.idTokenExpired(config)) {
            return;
        }
        try {
            String token = OpenIDConnectionUtils.resolveOIDCTokenFromAuthConfig(config, provider.getConfig(), new JdkHttpClientFactory().newBuilder())
                    .get(TOKEN_SECONDS, TimeUnit.SECONDS);
            if (token != null && !token.isEmpty()) {
                config.setOauthToken(token);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("no token from the OpenID Connect provider: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }

    private static String readable(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException(file + " cannot be read");
        }
        return file.toString();
    }

    /** A token that the kubelet replaces from time to time. Requests are few, so the file is read for each. */
    private record TokenFile(Path file) implements OAuthTokenProvider {
        @Override
        public String getToken() {
            try {
                return Files.readString(file).strip();
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be read", e);
            }
        }
    }
}
