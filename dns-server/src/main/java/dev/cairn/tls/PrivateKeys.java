package dev.cairn.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads private keys in the three forms OpenSSL writes. The JDK knows one, PKCS #8; the others are the same bytes with less around them.
 */
final class PrivateKeys {
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    /** DER of {@code AlgorithmIdentifier { rsaEncryption, NULL }} (RFC 8017 appendix A.1). */
    private static final byte[] RSA = {0x30, 0x0d, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0};

    /** DER of the identifier {@code id-ecPublicKey} (RFC 5480 section 2.1.1). */
    private static final byte[] EC = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

    private static final byte[] VERSION_0 = {2, 1, 0};
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 4;

    /** The tag of the curve in an EC key (RFC 5915 section 3). */
    private static final int CURVE = 0xa0;

    private PrivateKeys() {}

    /** The first private key of a file. */
    static PrivateKey read(Path file) throws IOException {
        byte[] curve = null;
        for (Pem block : Pem.read(file)) {
            switch (block.label()) {
                case "PRIVATE KEY" -> {
                    return decode(file, block.der());
                }
                case "RSA PRIVATE KEY" -> {
                    return decode(file, element(SEQUENCE, VERSION_0, RSA, element(OCTET_STRING, block.der())));
                }
                case "EC PRIVATE KEY" -> {
                    return decode(file, wrapEc(file, block.der(), curve));
                }
                case "EC PARAMETERS" -> curve = block.der();
                case "ENCRYPTED PRIVATE KEY" -> throw Pem.encrypted(file);
                default -> {}
            }
        }
        throw new IOException(file + ": there is no private key (-----BEGIN PRIVATE KEY-----) in it");
    }

    private static byte[] wrapEc(Path file, byte[] key, byte @Nullable [] before) throws IOException {
        byte[] curve = curveOf(key);
        if (curve == null) {
            curve = before;
        }
        if (curve == null) {
            throw new IOException(file + ": the EC key does not say which curve it is on; convert it with openssl pkey");
        }
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, EC, curve), element(OCTET_STRING, key));
    }

    /** The element in the key that names its curve, null if there is none or the key is not one. */
    private static byte @Nullable [] curveOf(byte[] key) {
        int at = contentAt(key, 0);
        while (at >= 0 && at < key.length) {
            int content = contentAt(key, at);
            int end = content < 0 ? -1 : content + length(key, at);
            if (end > key.length || end < 0) {
                return null;
            }
            if ((key[at] & 0xff) == CURVE) {
                return Arrays.copyOfRange(key, content, end);
            }
            at = end;
        }
        return null;
    }

    /** Where the content of an element starts; -1 if its header is cut off. */
    private static int contentAt(byte[] der, int at) {
        if (at + 2 > der.length) {
            return -1;
        }
        int header = (der[at + 1] & 0x80) == 0 ? 2 : 2 + (der[at + 1] & 0x7f);
        return at + header <= der.length && header <= 5 ? at + header : -1;
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = length << 8 | (der[at + 2 + i] & 0xff);
        }
        return length;
    }

    private static byte[] element(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length < 0x80) {
            out.write(length);
        } else {
            out.write(0x82); // two bytes of length follow
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    private static PrivateKey decode(Path file, byte[] pkcs8) throws IOException {
        GeneralSecurityException last = new InvalidKeySpecException("unknown kind of key");
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (GeneralSecurityException e) {
                last = e;
            }
        }
        throw new IOException(file + ": the private key is neither RSA, EC nor EdDSA, or it is damaged", last);
    }

    /** Whether what one signs the other verifies. */
    static boolean belongTogether(PrivateKey key, PublicKey publicKey) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        try {
            byte[] text = {1, 2, 3, 4};
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(text);
            byte[] signature = signer.sign();
            signer.initVerify(publicKey);
            signer.update(text);
            return signer.verify(signature);
        } catch (GeneralSecurityException e) {
            return false; // of different kinds
        }
    }
}
