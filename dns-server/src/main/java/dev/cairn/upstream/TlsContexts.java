package dev.cairn.upstream;

import dev.cairn.tls.ClientAuth;
import dev.cairn.tls.TlsFiles;
import dev.cairn.tls.TlsIdentity;
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
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
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
        TlsIdentity own = certificate == null || key == null ? null : identity(certificate, key);
        List<X509Certificate> trusted = authorities == null ? List.of() : TlsFiles.certificates(authorities);
        SslContext plain = builder(own, trusted).build();
        SslContext http = builder(own, trusted)
                .applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT, "h2"))
                .build();
        return new TlsContexts(plain, http, withQuic ? quic(own, trusted) : null);
    }

    private static TlsIdentity identity(Path certificate, Path key) throws IOException {
        TlsFiles files = new TlsFiles(new TlsFiles.Names(certificate, key, null, ClientAuth.NOCERT));
        files.load();
        return files.identity();
    }

    private static SslContextBuilder builder(@Nullable TlsIdentity own, List<X509Certificate> trusted) {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols(VERSIONS)
                .endpointIdentificationAlgorithm(IDENTIFICATION);
        if (own != null) {
            builder.keyManager(own.key(), own.chain());
        }
        return trusted.isEmpty() ? builder : builder.trustManager(trusted);
    }

    private static QuicSslContext quic(@Nullable TlsIdentity own, List<X509Certificate> trusted) throws IOException {
        if (!Quic.isAvailable()) {
            throw new IOException("quic:// needs a native library that does not load here: " + Quic.unavailabilityCause().getMessage());
        }
        QuicSslContextBuilder builder = QuicSslContextBuilder.forClient()
                .applicationProtocols("doq") // RFC 9250 section 4.1.1
                .endpointIdentificationAlgorithm(IDENTIFICATION);
        if (own != null) {
            builder.keyManager(own.key(), null, own.chain().toArray(X509Certificate[]::new));
        }
        return trusted.isEmpty() ? builder.build() : builder.trustManager(trusted.toArray(X509Certificate[]::new)).build();
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
