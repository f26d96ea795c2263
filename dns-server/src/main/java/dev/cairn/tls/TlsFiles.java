package dev.cairn.tls;

import dev.cairn.log.Log;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files a server's identity is in. Read by {@link #load} before the first connection and looked at again by {@link #refresh}, which one
 * thread calls now and then; {@link #identity} may be called by any thread.
 */
public final class TlsFiles {
    private static final Log LOG = Log.plugin("tls");

    private final Names names;
    private List<Stamp> stamps = List.of();
    private volatile @Nullable TlsIdentity identity;

    /**
     * What was configured.
     *
     * @param authorities null to trust whom the Java runtime trusts
     */
    public record Names(Path certificate, Path key, @Nullable Path authorities, ClientAuth clientAuth) {}

    /** What tells a changed file, also one that a link was turned to, as Kubernetes does with mounted secrets. */
    private record Stamp(Object time, long size, @Nullable Object inode) {}

    public TlsFiles(Names names) {
        this.names = names;
    }

    public Names names() {
        return names;
    }

    /** Whom to be, from the next connection on. */
    public TlsIdentity identity() {
        TlsIdentity loaded = identity;
        if (loaded == null) {
            throw new IllegalStateException("the files have not been read");
        }
        return loaded;
    }

    /**
     * Reads the files.
     *
     * @throws IOException with a message that names the file and says what is wrong with it
     */
    public void load() throws IOException {
        List<Stamp> before = stamps();
        List<X509Certificate> chain = Pem.certificates(names.certificate);
        Path authorities = names.authorities;
        TlsIdentity read = new TlsIdentity(
                PrivateKeys.read(names.key), chain, authorities == null ? List.of() : Pem.certificates(authorities), names.clientAuth);
        if (!PrivateKeys.belongTogether(read.key(), chain.getFirst().getPublicKey())) {
            throw new IOException(names.key + ": the private key is not that of the certificate in " + names.certificate
                    + ", which must stand first in its file");
        }
        stamps = before;
        identity = read;
    }

    /**
     * The certificates of a file, at least one.
     *
     * @throws IOException with a message that names the file and says what is wrong with it
     */
    public static List<X509Certificate> certificates(Path file) throws IOException {
        return Pem.certificates(file);
    }

    /** Reads the files again if one has changed; what can't be used is told, and the identity stays as it was. */
    public void refresh() {
        try {
            List<Stamp> now = stamps();
            if (now.equals(stamps)) {
                return;
            }
            stamps = now; // also if it is bad: that is told once, not at every look
            load();
            LOG.info("Read the certificate in " + names.certificate + " again; it is valid until "
                    + identity().chain().getFirst().getNotAfter().toInstant());
        } catch (IOException e) {
            LOG.error("Cannot take over the changed certificate, the old one goes on: " + e.getMessage());
        }
    }

    private List<Stamp> stamps() {
        List<Stamp> found = new ArrayList<>();
        for (Path file : files()) {
            found.add(stamp(file));
        }
        return List.copyOf(found);
    }

    private static Stamp stamp(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return new Stamp("absent", 0, null); // reading it will say why
        }
    }

    private List<Path> files() {
        Path authorities = names.authorities;
        return authorities == null ? List.of(names.certificate, names.key) : List.of(names.certificate, names.key, authorities);
    }
}
