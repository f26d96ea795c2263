package dev.cairn.listen.connection;

import dev.cairn.tls.TlsFiles;
import dev.cairn.tls.TlsIdentity;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslX509KeyManagerFactory;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of a listener are encrypted with: by BoringSSL where Netty's library for it loads and knows the kind of key, else by
 * the JDK. A context is made for the identity that the files have at the moment and kept until they have another, or for an hour. Safe for
 * all threads.
 */
public final class TlsContexts implements AutoCloseable {
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /** Those in which keys are forgotten and what was altered is noticed, as in CoreDNS; the first three are TLS 1.3's. */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    /** Sessions are resumed by tickets; only clients that know none make the server remember. */
    private static final int SESSIONS = 1000;

    /** A context takes its secret with it, so that no ticket outlives it: BoringSSL's own limit for TLS 1.3 is two days. */
    private static final int SESSION_SECONDS = 3600;

    static {
        // Only clients who want to keep the server busy shake hands again on the same connection; read when the first engine is made.
        if (System.getProperty("jdk.tls.rejectClientInitiatedRenegotiation") == null) {
            System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        }
    }

    private final boolean quic;
    private final String[] protocols;
    private @Nullable Made made;

    private record Made(TlsIdentity identity, SslContext context, long untilNanos) {}

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
     * A handler that encrypts a connection as who the files say we are.
     *
     * @param tasks does the arithmetic of the handshake, as far as it can be told apart
     * @throws SSLException if the engine cannot work with such a key or certificate
     */
    public synchronized SslHandler handler(TlsFiles files, ByteBufAllocator buffers, Executor tasks) throws SSLException {
        return context(files).newHandler(buffers, tasks); // the engine keeps the context from being given back
    }

    /**
     * The context for who the files say we are.
     *
     * @throws SSLException if the engine cannot work with such a key or certificate
     */
    @SuppressWarnings("ReferenceEquality") // files that were read again make another identity
    public synchronized SslContext context(TlsFiles files) throws SSLException {
        TlsIdentity identity = files.identity();
        Made known = made;
        if (known == null || known.identity != identity || known.untilNanos - System.nanoTime() < 0) {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SESSION_SECONDS);
            SslContext context = quic ? makeQuic(identity) : make(identity);
            close();
            known = new Made(identity, context, until);
            made = known;
        }
        return known.context;
    }

    /** Gives back memory that is not the JVM's; connections keep what they need of it. */
    @Override
    public synchronized void close() {
        if (made != null) {
            ReferenceCountUtil.release(made.context);
            made = null;
        }
    }

    private SslContext make(TlsIdentity identity) throws SSLException {
        boolean boring = knownToBoringSsl(identity.key()) && OpenSsl.isAvailable();
        SslContextBuilder builder = (boring ? boringBuilder(identity) : SslContextBuilder.forServer(identity.key(), identity.chain()))
                .sslProvider(boring ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK)
                .protocols(VERSIONS)
                .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
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
        SslContext context = builder.build();
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setTicketKeys(); // with none, BoringSSL makes one by itself
        }
        return context;
    }

    /** Netty finds no key of another kind for it. */
    private static boolean knownToBoringSsl(PrivateKey key) {
        return key.getAlgorithm().equals("EC") || key.getAlgorithm().equals("RSA");
    }

    /** By itself BoringSSL signs on the event loop, which is over soon with an EC key, but takes milliseconds with a large RSA key. */
    private static SslContextBuilder boringBuilder(TlsIdentity identity) throws SSLException {
        if (identity.key().getAlgorithm().equals("EC")) {
            return SslContextBuilder.forServer(identity.key(), identity.chain());
        }
        try {
            X509Certificate[] chain = identity.chain().toArray(X509Certificate[]::new);
            return SslContextBuilder.forServer(OpenSslX509KeyManagerFactory.newKeyless(chain))
                    .option(OpenSslContextOption.PRIVATE_KEY_METHOD, new RsaSigner(identity.key()));
        } catch (GeneralSecurityException | IOException e) {
            throw new SSLException(e);
        }
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
