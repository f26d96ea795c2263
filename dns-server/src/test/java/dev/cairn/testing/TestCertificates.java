package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A certificate authority made for a test by the JDK's keytool, and what it signed, as PEM files in a directory. */
public final class TestCertificates {
    private static final String PASSWORD = "changeit";

    private final Path directory;
    private final Path store;

    /**
     * What a server or client needs to show who it is.
     *
     * @param certificate with the authority's after it
     * @param key in PKCS #8
     */
    public record Leaf(String name, Path certificate, Path key) {
        /** As arguments of the {@code tls} directive. */
        public String arguments() {
            return certificate + " " + key;
        }
    }

    public TestCertificates(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        store = directory.resolve("store.p12");
        keytool("-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=Test authority", "-validity", "30", "-ext", "bc:c");
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        Programs.Result result = Programs.run(command.toArray(String[]::new));
        assertThat(result.code()).as(result.output()).isZero();
    }

    /** Whom to trust. */
    public Path authority() throws IOException, GeneralSecurityException {
        return write("ca.pem", pem("CERTIFICATE", load().getCertificate("ca").getEncoded()));
    }

    /** A certificate for localhost and 127.0.0.1, with a key for this algorithm: RSA, EC or Ed25519. */
    public Leaf leaf(String name, String algorithm) throws IOException, InterruptedException, GeneralSecurityException {
        return leaf(name, algorithm, "dns:localhost,ip:127.0.0.1");
    }

    /** A certificate for these names and addresses, {@code dns:dns.test,ip:127.0.0.1}. */
    public Leaf leaf(String name, String algorithm, String names) throws IOException, InterruptedException, GeneralSecurityException {
        keytool("-genkeypair", "-alias", name, "-keyalg", algorithm, "-dname", "CN=" + name, "-validity", "30", "-signer", "ca",
                "-ext", "san=" + names);
        KeyStore loaded = load();
        StringBuilder chain = new StringBuilder();
        for (Certificate certificate : loaded.getCertificateChain(name)) {
            chain.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        Key key = loaded.getKey(name, PASSWORD.toCharArray());
        return new Leaf(name, write(name + ".crt", chain.toString()), write(name + ".key", pem("PRIVATE KEY", key.getEncoded())));
    }

    private KeyStore load() throws IOException, GeneralSecurityException {
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            loaded.load(in, PASSWORD.toCharArray());
        }
        return loaded;
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END "
                + label + "-----\n";
    }

    /** For clients that trust the authority; they show any of its certificates if asked, and {@code anonymous} ones none. */
    public SSLContext client(boolean anonymous) throws IOException, GeneralSecurityException {
        return context(anonymous ? null : load());
    }

    /** For a server that shows this certificate, and takes those of the authority from clients. */
    public SSLContext server(Leaf leaf) throws IOException, GeneralSecurityException {
        KeyStore all = load();
        KeyStore one = empty();
        one.setKeyEntry(leaf.name(), all.getKey(leaf.name(), PASSWORD.toCharArray()), PASSWORD.toCharArray(), all.getCertificateChain(leaf.name()));
        return context(one);
    }

    private SSLContext context(@Nullable KeyStore shown) throws IOException, GeneralSecurityException {
        KeyStore trusted = empty();
        trusted.setCertificateEntry("ca", load().getCertificate("ca"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(shown, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
