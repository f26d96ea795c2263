package dev.cairn.cluster.api;

import dev.cairn.wire.IpAddress;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Encrypts connections to the API server, and sees to it that it is the one. Used by all reflector threads. */
final class ApiTls {
    /**
     * Offered alone at first. The JDK makes keys for two groups before it knows which of them the server takes, and the first of P-256 in a process
     * costs 50 ms, for which all that is to be read would wait. Not if there is a certificate of the client, whose key a group might have to do with.
     */
    private static final String[] QUICK = {"x25519"};
    /** The kind of a subject alternative name that is an address (RFC 5280 section 4.2.1.6). */
    private static final Integer IP_NAME = 7;

    private final SSLSocketFactory sockets;
    private final boolean checksName;
    private final String[] versions;
    private volatile boolean quick;

    ApiTls(Config config) throws GeneralSecurityException, IOException {
        KeyManager[] own = SSLUtils.keyManagers(config);
        Collection<? extends Certificate> authorities = authorities(config);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, authorities.isEmpty() ? SSLUtils.trustManagers(config) : trust(authorities), null);
        sockets = context.getSocketFactory();
        checksName = !config.isTrustCerts() && !config.isDisableHostnameVerification();
        TlsVersion[] wanted = config.getTlsVersions();
        versions = wanted == null ? new String[0] : Arrays.stream(wanted).map(TlsVersion::javaName).toArray(String[]::new);
        quick = own == null;
    }

    /** The authorities that the configuration names; none if it names none, or wants nothing to be checked. */
    private static Collection<? extends Certificate> authorities(Config config) throws CertificateException, IOException {
        boolean named = isGiven(config.getCaCertData()) || isGiven(config.getCaCertFile());
        if (!named || config.isTrustCerts()) {
            return List.of();
        }
        try (InputStream pem = CertUtils.getInputStreamFromDataOrFile(config.getCaCertData(), config.getCaCertFile())) {
            Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509").generateCertificates(pem);
            if (found.isEmpty()) {
                throw new CertificateException("there is no certificate of an authority in "
                        + (isGiven(config.getCaCertData()) ? "certificate-authority-data" : config.getCaCertFile()));
            }
            return found;
        }
    }

    private static boolean isGiven(String value) {
        return value != null && !value.isEmpty();
    }

    /** Trusts these alone. fabric8 would trust those of the JDK besides, with whom anybody's server is at home. */
    private static TrustManager[] trust(Collection<? extends Certificate> authorities) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (Certificate authority : authorities) {
            store.setCertificateEntry(Integer.toString(store.size()), authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }

    /** Shakes hands over a connection. */
    SSLSocket secure(Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) sockets.createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        byte @Nullable [] address = checksName ? IpAddress.parse(host) : null;
        if (checksName && address == null) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (versions.length > 0) {
            parameters.setProtocols(versions);
        }
        if (quick) {
            parameters.setNamedGroups(QUICK);
        }
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        if (address != null) {
            checkAddress(socket, host, address);
        }
        return socket;
    }

    /**
     * Sees to it that the server's certificate names the address that it was reached by, as it is by pods. The JDK would do so, too, but reads all authorities that it
     * knows for that, and a start would wait for them. Nothing has been sent to the server yet.
     */
    private static void checkAddress(SSLSocket socket, String host, byte[] address) throws SSLException {
        try {
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            for (List<?> name : names == null ? List.<List<?>>of() : names) {
                if (name.get(0).equals(IP_NAME) && Arrays.equals(IpAddress.parse((String) name.get(1)), address)) {
                    return;
                }
            }
            throw new CertificateException("no name in the server's certificate is the address " + host);
        } catch (CertificateException e) {
            throw new SSLHandshakeException(e.getMessage(), e);
        }
    }

    /** Whether it is worth trying once more after a failure, on a new connection, since not all was offered; from now on all is. */
    boolean offerAll(SSLException failure) {
        boolean forOtherReasons = failure.getCause() instanceof CertificateException || failure.getCause() instanceof SocketTimeoutException;
        if (!quick || forOtherReasons) {
            return false;
        }
        quick = false;
        return true;
    }
}
