package dev.cairn.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of a PEM file (RFC 7468).
 *
 * @param label what it says to be, {@code CERTIFICATE}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Pem(String label, byte[] der) {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    /** Headers of the older form, {@code Proc-Type: 4,ENCRYPTED}: only encrypted keys have such. */
    private static final String ENCRYPTED_HEADER = "ENCRYPTED";

    /** Large enough for any chain or bundle of authorities; a wrong path to something huge must not fill the memory. */
    private static final long MAX_SIZE = 8 << 20;

    /** All blocks of a file; text around them is ignored. */
    static List<Pem> read(Path file) throws IOException {
        List<Pem> blocks = new ArrayList<>();
        Matcher found = BLOCK.matcher(text(file));
        while (found.find()) {
            String content = found.group(2);
            if (content.contains(ENCRYPTED_HEADER)) {
                throw encrypted(file);
            }
            try {
                blocks.add(new Pem(found.group(1), Base64.getMimeDecoder().decode(content)));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ": the " + found.group(1) + " block is not proper base64", e);
            }
        }
        if (blocks.isEmpty()) {
            throw new IOException(file + ": there is nothing of the form -----BEGIN ...----- in it; the file must be PEM");
        }
        return blocks;
    }

    private static String text(Path file) throws IOException {
        try {
            if (Files.size(file) > MAX_SIZE) {
                throw new IOException(file + ": too large for a PEM file");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new IOException(file + ": no permission to read it", e);
        }
    }

    static IOException encrypted(Path file) {
        return new IOException(file + ": the key is encrypted, and nobody is here to type its password; write it without:"
                + " openssl pkey -in " + file + " -out NEW");
    }

    /** All certificates of a file, at least one. */
    static List<X509Certificate> certificates(Path file) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Pem block : read(file)) {
                if (block.label.equals("CERTIFICATE")) {
                    certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der)));
                }
            }
        } catch (CertificateException e) {
            throw new IOException(file + ": not a certificate: " + e.getMessage(), e);
        }
        if (certificates.isEmpty()) {
            throw new IOException(file + ": there is no certificate (-----BEGIN CERTIFICATE-----) in it");
        }
        return certificates;
    }
}
