package dev.cairn.listen.connection;

import io.netty.handler.ssl.OpenSslPrivateKeyMethod;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import javax.net.ssl.SSLEngine;

/**
 * Signs handshakes of BoringSSL with the JDK's arithmetic. The engine asks for that as a task, so that it is done on the threads for such;
 * by itself BoringSSL signs where it is called, and event loops would stand still for the milliseconds of a large key.
 */
final class RsaSigner implements OpenSslPrivateKeyMethod {
    private final PrivateKey key;

    RsaSigner(PrivateKey key) {
        this.key = key;
    }

    @Override
    public byte[] sign(SSLEngine engine, int scheme, byte[] input) throws GeneralSecurityException {
        Signature signature = signature(scheme);
        signature.initSign(key);
        signature.update(input);
        return signature.sign();
    }

    /** What the numbers of signature schemes mean (RFC 8446 section 4.2.3). */
    private static Signature signature(int scheme) throws GeneralSecurityException {
        if (scheme == SSL_SIGN_RSA_PSS_RSAE_SHA256) {
            return pss(MGF1ParameterSpec.SHA256, 32);
        } else if (scheme == SSL_SIGN_RSA_PSS_RSAE_SHA384) {
            return pss(MGF1ParameterSpec.SHA384, 48);
        } else if (scheme == SSL_SIGN_RSA_PSS_RSAE_SHA512) {
            return pss(MGF1ParameterSpec.SHA512, 64);
        } else if (scheme == SSL_SIGN_RSA_PKCS1_SHA256) { // TLS 1.2 only, as the next two
            return Signature.getInstance("SHA256withRSA");
        } else if (scheme == SSL_SIGN_RSA_PKCS1_SHA384) {
            return Signature.getInstance("SHA384withRSA");
        } else if (scheme == SSL_SIGN_RSA_PKCS1_SHA512) {
            return Signature.getInstance("SHA512withRSA");
        }
        throw new NoSuchAlgorithmException("signature scheme " + scheme);
    }

    private static Signature pss(MGF1ParameterSpec mask, int salt) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("RSASSA-PSS");
        signature.setParameter(new PSSParameterSpec(mask.getDigestAlgorithm(), "MGF1", mask, salt, PSSParameterSpec.TRAILER_FIELD_BC));
        return signature;
    }

    @Override
    public byte[] decrypt(SSLEngine engine, byte[] input) throws NoSuchAlgorithmException {
        throw new NoSuchAlgorithmException("cipher suites in which keys encrypt are not offered");
    }
}
