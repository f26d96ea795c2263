package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate that signs itself, made by the JDK's keytool. */
record TestCertificate(Path pem, Path keyPem, PrivateKey key, X509Certificate certificate, KeyStore store) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** @param names what it is for, {@code dns:dns.test,ip:127.0.0.1} */
    static TestCertificate make(Path directory, String names) throws IOException, InterruptedException, GeneralSecurityException {
        Path file = directory.resolve("store-" + names.replaceAll("[^a-z0-9]", "-") + ".p12");
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Programs.Result result = Programs.run(keytool, "-genkeypair", "-alias", "a", "-keyalg", "EC", "-dname", "CN=test", "-validity", "30",
                "-ext", "san=" + names, "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", "changeit");
        assertThat(result.code()).as(result.output()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        X509Certificate certificate = (X509Certificate) store.getCertificate("a");
        PrivateKey key = (PrivateKey) store.getKey("a", PASSWORD);
        return new TestCertificate(pem(file, "CERTIFICATE", certificate.getEncoded()), pem(file, "PRIVATE KEY", key.getEncoded()), key, certificate, store);
    }

    private static Path pem(Path beside, String what, byte[] bytes) {
        String text = "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what + "-----\n";
        try {
            return Files.writeString(beside.resolveSibling(beside.getFileName() + "." + what.charAt(0) + ".pem"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For a server that shows this certificate, and takes it from clients. */
    SSLContext serverContext() throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try {
            trusted.load(null, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        trusted.setCertificateEntry("a", certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
