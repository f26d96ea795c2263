package dev.cairn.listen.connection;

import dev.cairn.tls.TlsFiles;
import dev.cairn.tls.TlsIdentity;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of a listener are encrypted with. A context is made for the identity that the files have at the moment and kept
 * until they have another. Safe for all threads.
 */
public final class TlsContexts {
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /** Sessions are resumed by tickets; only clients that know none make the server remember. */
    private static final int SESSIONS = 1000;

    private static final int SESSION_SECONDS = 3600;

    static {
        // Only clients who want to keep the server busy shake hands again on the same connection; read when the first engine is made.
        if (System.getProperty("jdk.tls.rejectClientInitiatedRenegotiation") == null) {
            System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        }
    }

    private final boolean quic;
    private final String[] protocols;
    private volatile @Nullable Made made;

    private record Made(TlsIdentity identity, SslContext context) {}

    private TlsContexts(boolean quic, String... protocols) {
        this.quic = quic;
        this.protocols = protocols;
    }

    /** Contexts for TLS over TCP; {@code protocols} are what to agree on by ALPN, for clients that ask. */
    public static TlsContexts tls(String... protocols) {
        return new TlsContexts(false, protocols);
    }

    /** Contexts for QUIC, whose clients must agree on one of the protocols. */
    public static TlsContexts quic(String... protocols) {
        return new TlsContexts(true, protocols);
    }

    /**
     * The context for who the files say we are.
     *
     * @throws SSLException if the engine cannot work with such a key or certificate
     */
    @SuppressWarnings("ReferenceEquality") // files that were read again make another identity
    public SslContext context(TlsFiles files) throws SSLException {
        TlsIdentity identity = files.identity();
        Made known = made;
        if (known == null || known.identity != identity) {
            known = new Made(identity, quic ? makeQuic(identity) : make(identity));
            made = known;
        }
        return known.context;
    }

    private SslContext make(TlsIdentity identity) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.chain())
                .sslProvider(SslProvider.JDK)
                .protocols(VERSIONS)
                .sessionCacheSize(SESSIONS)
                .sessionTimeout(SESSION_SECONDS)
                .clientAuth(clientAuth(identity))
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols));
        if (!identity.clientAuth().verified()) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE); // it may show what it likes
        } else if (!identity.authorities().isEmpty()) {
            builder.trustManager(identity.authorities());
        }
        return builder.build();
    }

    private QuicSslContext makeQuic(TlsIdentity identity) {
        X509Certificate[] chain = identity.chain().toArray(X509Certificate[]::new);
        QuicSslContextBuilder builder = QuicSslContextBuilder.forServer(identity.key(), null, chain)
                .sessionCacheSize(SESSIONS)
                .sessionTimeout(SESSION_SECONDS)
                .clientAuth(clientAuth(identity))
                .applicationProtocols(protocols);
        if (!identity.clientAuth().verified()) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
        } else if (!identity.authorities().isEmpty()) {
            builder.trustManager(identity.authorities().toArray(X509Certificate[]::new));
        }
        return builder.build();
    }

    private static ClientAuth clientAuth(TlsIdentity identity) {
        return switch (identity.clientAuth()) {
            case NOCERT -> ClientAuth.NONE;
            case REQUEST, VERIFY_IF_GIVEN -> ClientAuth.OPTIONAL;
            case REQUIRE, REQUIRE_AND_VERIFY -> ClientAuth.REQUIRE;
        };
    }
}
