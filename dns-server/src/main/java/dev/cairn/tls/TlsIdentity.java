package dev.cairn.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A key with its certificates, as they were read from files.
 *
 * @param chain the server's own certificate first
 * @param authorities whose signatures under client certificates count; none to trust whom the Java runtime trusts
 */
public record TlsIdentity(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> authorities, ClientAuth clientAuth) {
    public TlsIdentity {
        chain = List.copyOf(chain);
        authorities = List.copyOf(authorities);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("an identity has a certificate");
        }
    }
}
