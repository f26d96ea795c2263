package dev.cairn.cluster.api;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The API server as one reading of the credentials describes it. Opens connections and knows what a request to it looks like. */
final class Server {
    private final Config config;
    private final URI uri;
    private final String path;
    private final Proxy proxy;
    private final @Nullable ApiTls tls;

    Server(Config config) throws IOException {
        this.config = config;
        try {
            uri = URI.create(config.getMasterUrl());
            if (uri.getHost() == null) {
                throw new IllegalArgumentException("\"" + uri + "\" names no host");
            }
            String prefix = uri.getRawPath() == null ? "" : uri.getRawPath();
            path = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
            proxy = proxy(config, isTls());
            tls = isTls() ? new ApiTls(config) : null;
        } catch (GeneralSecurityException | IllegalArgumentException | IOException e) {
            throw new IOException("its URL, certificates or key cannot be used: " + e.getMessage(), e);
        }
    }

    private boolean isTls() {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    /** The URL without a slash at its end. */
    String url() {
        return uri.getScheme() + "://" + host() + path;
    }

    /** Host and port as the URL has them. */
    String host() {
        return uri.getRawAuthority();
    }

    /** The proxy that the configuration names, if the server is not exempt from it. */
    private Proxy proxy(Config config, boolean secure) {
        String given = secure ? config.getHttpsProxy() : config.getHttpProxy();
        String host = uri.getHost();
        String[] exempt = config.getNoProxy();
        if (given == null || given.isEmpty() || (exempt != null && Arrays.stream(exempt).anyMatch(host::endsWith))) {
            return Proxy.NO_PROXY;
        }
        URI at = URI.create(given);
        if (at.getHost() == null || at.getPort() < 0) {
            throw new IllegalArgumentException("proxy \"" + given + "\" is not a URL with a port");
        }
        boolean socks = at.getScheme().toLowerCase(Locale.ROOT).startsWith("socks");
        return new Proxy(socks ? Proxy.Type.SOCKS : Proxy.Type.HTTP, new InetSocketAddress(at.getHost(), at.getPort()));
    }

    /** Connects; the caller closes. Nothing takes longer than {@code patience}. */
    Connection connect(Duration patience) throws IOException {
        try {
            return connectOnce(patience);
        } catch (SSLException e) {
            if (tls == null || !tls.offerAll(e)) {
                throw e;
            }
            return connectOnce(patience);
        }
    }

    private Connection connectOnce(Duration patience) throws IOException {
        String host = uri.getHost().startsWith("[") ? uri.getHost().substring(1, uri.getHost().length() - 1) : uri.getHost();
        int port = uri.getPort() >= 0 ? uri.getPort() : isTls() ? 443 : 80;
        Socket plain = new Socket(proxy);
        try {
            plain.setTcpNoDelay(true);
            plain.setKeepAlive(true);
            plain.setSoTimeout(Math.toIntExact(patience.toMillis()));
            plain.connect(proxy.type() == Proxy.Type.DIRECT ? new InetSocketAddress(host, port) : InetSocketAddress.createUnresolved(host, port),
                    config.getConnectionTimeout());
            return new Connection(this, plain, tls == null ? plain : tls.secure(plain, host, port));
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    /**
     * A request. Tokens are read for each, since a token file changes from time to time.
     *
     * @param body JSON to be posted; null to get something
     */
    String request(String what, String accept, String encoding, @Nullable String body) {
        StringBuilder head = new StringBuilder(1024).append(body == null ? "GET " : "POST ").append(path).append(what).append(" HTTP/1.1\r\n");
        field(head, "Host", host());
        field(head, "User-Agent", config.getUserAgent());
        field(head, "Accept", accept);
        field(head, "Accept-Encoding", encoding);
        field(head, "Authorization", authorization());
        field(head, "Impersonate-User", config.getImpersonateUsername());
        String[] groups = config.getImpersonateGroups();
        for (String group : groups == null ? new String[0] : groups) {
            field(head, "Impersonate-Group", group);
        }
        Map<String, List<String>> extras = config.getImpersonateExtras();
        if (extras != null) {
            extras.forEach((name, values) -> values.forEach(value -> field(head, "Impersonate-Extra-" + name, value)));
        }
        Map<String, String> custom = config.getCustomHeaders();
        if (custom != null) {
            custom.forEach((name, value) -> field(head, name, value));
        }
        if (body == null) {
            return head.append("\r\n").toString();
        }
        String plain = plain(body);
        field(head, "Content-Type", ApiClient.JSON);
        field(head, "Content-Length", Integer.toString(plain.length()));
        return head.append("\r\n").append(plain).toString();
    }

    /** The same JSON with letters alone that are one byte in any encoding. */
    private static String plain(String json) {
        StringBuilder plain = new StringBuilder(json.length());
        json.chars().forEach(c -> {
            if (c < 0x80) {
                plain.append((char) c);
            } else {
                plain.append(String.format(Locale.ROOT, "\\u%04x", c));
            }
        });
        return plain.toString();
    }

    private static void field(StringBuilder head, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            head.append(name).append(": ").append(value).append("\r\n");
        }
    }

    private @Nullable String authorization() {
        String user = config.getUsername();
        if (user != null && !user.isEmpty() && config.getPassword() != null) {
            return HttpClientUtils.basicCredentials(user, config.getPassword());
        }
        String token = config.getOauthTokenProvider() != null ? config.getOauthTokenProvider().getToken() : config.getOauthToken();
        if (token == null || token.isEmpty()) {
            token = config.getAutoOAuthToken();
        }
        return token == null || token.isEmpty() ? null : "Bearer " + token;
    }
}
