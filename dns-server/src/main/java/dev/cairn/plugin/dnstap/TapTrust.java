package dev.cairn.plugin.dnstap;

import dev.cairn.tls.TlsFiles;
import dev.cairn.tls.TlsIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Who is trusted. Certificates of a sink are taken if the Java runtime trusts them, or with {@code skipverify} any; those of collectors
 * that connect as {@code tls} says.
 */
final class TapTrust {
    private TapTrust() {}

    static SSLContext context(boolean any) throws IOException {
        try {
            if (!any) {
                return SSLContext.getDefault();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Anyone()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS: " + e.getMessage(), e);
        }
    }

    /** Puts TLS over a connection from a collector. */
    static SSLSocket serve(Socket plain, TlsFiles files) throws IOException {
        TlsIdentity own = files.identity();
        SSLSocket socket = (SSLSocket) context(own).getSocketFactory().createSocket(plain, (InputStream) null, true);
        if (own.clientAuth().required()) {
            socket.setNeedClientAuth(true);
        } else {
            socket.setWantClientAuth(own.clientAuth().verified());
        }
        return socket;
    }

    private static SSLContext context(TlsIdentity own) throws IOException {
        char[] noPassword = {};
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("own", own.key(), noPassword, own.chain().toArray(X509Certificate[]::new));
            KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            shown.init(keys, noPassword);
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, null);
            for (X509Certificate authority : own.authorities()) {
                authorities.setCertificateEntry("authority " + authorities.size(), authority);
            }
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(authorities);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(shown.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS: " + e.getMessage(), e);
        }
    }

    private static final class Anyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
