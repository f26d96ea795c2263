package dev.cairn.upstream;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.quic.Quic;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicSslEngine;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What TLS connections to upstreams are made with: whom to trust, and who we are. Certificates must be for the upstream's server name, or
 * for its address if no name is configured. Sessions are resumed by the contexts, so all upstreams of a {@code forward} share them.
 * Immutable.
 */
public final class TlsContexts {
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};
    private static final String IDENTIFICATION = "HTTPS";

    private final SslContext plain;
    private final SslContext http;
    private final @Nullable QuicSslContext quic;

    private TlsContexts(SslContext plain, SslContext http, @Nullable QuicSslContext quic) {
        this.plain = plain;
        this.http = http;
        this.quic = quic;
    }

    /**
     * Reads the files.
     *
     * @param certificate ours, with {@code key}; null for none
     * @param authorities whom to trust, null for whom the Java runtime trusts
     * @param withQuic whether QUIC is needed, which needs a native library
     * @throws IOException with a line for the user
     */
    public static TlsContexts of(@Nullable Path certificate, @Nullable Path key, @Nullable Path authorities, boolean withQuic)
            throws IOException {
        try {
            SslContext plain = builder(certificate, key, authorities).build();
            SslContext http = builder(certificate, key, authorities)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE,
                            SelectedListenerFailureBehavior.ACCEPT, "h2"))
                    .build();
            return new TlsContexts(plain, http, withQuic ? quic(certificate, key, authorities) : null);
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException("tls: " + Failures.describe(e)
                    + "; the files must be PEM, a private key PKCS #8 (-----BEGIN PRIVATE KEY-----)", e);
        }
    }

    private static SslContextBuilder builder(@Nullable Path certificate, @Nullable Path key, @Nullable Path authorities) {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols(VERSIONS)
                .endpointIdentificationAlgorithm(IDENTIFICATION);
        if (certificate != null && key != null) {
            builder.keyManager(certificate.toFile(), key.toFile());
        }
        return authorities == null ? builder : builder.trustManager(authorities.toFile());
    }

    private static QuicSslContext quic(@Nullable Path certificate, @Nullable Path key, @Nullable Path authorities) throws IOException {
        if (!Quic.isAvailable()) {
            throw new IOException("quic:// needs a native library that does not load here: " + Quic.unavailabilityCause().getMessage());
        }
        QuicSslContextBuilder builder = QuicSslContextBuilder.forClient()
                .applicationProtocols("doq") // RFC 9250 section 4.1.1
                .endpointIdentificationAlgorithm(IDENTIFICATION);
        if (certificate != null && key != null) {
            builder.keyManager(key.toFile(), null, certificate.toFile());
        }
        File trusted = authorities == null ? null : authorities.toFile();
        return trusted == null ? builder.build() : builder.trustManager(trusted).build();
    }

    SslHandler handler(ByteBufAllocator buffers, Upstream upstream, Carrier carrier) {
        SslHandler handler = (carrier == Carrier.HTTPS ? http : plain)
                .newHandler(buffers, upstream.serverName(), upstream.address().getPort());
        handler.setHandshakeTimeoutMillis(0); // the link has a timer of its own
        return handler;
    }

    QuicSslEngine engine(ByteBufAllocator buffers, Upstream upstream) {
        if (quic == null) {
            throw new IllegalStateException("QUIC was not asked for");
        }
        return quic.newEngine(buffers, upstream.serverName(), upstream.address().getPort());
    }
}
