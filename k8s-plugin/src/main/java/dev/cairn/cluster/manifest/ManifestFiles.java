package dev.cairn.cluster.manifest;

import dev.cairn.cluster.control.ClusterObject;
import dev.cairn.cluster.control.Origin;
import dev.cairn.cluster.control.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the manifests, and what was last read of each. Files that did not change are not read again, and one that cannot be parsed
 * goes on counting as what it was before, since it is likely to be half written. Used by one thread.
 */
final class ManifestFiles {
    private static final long LARGEST_FILE = 64L << 20;
    private static final int DEEPEST = 32;
    /** A file that changed so lately may change again without a new time stamp, so its content is compared. */
    private static final Duration COARSEST_CLOCK = Duration.ofSeconds(3);
    /** A file that changed so lately may be half written, or just emptied to be written anew, without being broken. */
    private static final Duration STILL_WRITTEN = Duration.ofMillis(100);
    /** A file that does not come to rest is read all the same after this time. */
    private static final Duration LONGEST_DEFERRAL = Duration.ofSeconds(2);

    private final List<Path> roots;
    private final InstantSource clock;
    private Map<Path, State> states = new TreeMap<>();
    private long revision;
    private boolean deferred;

    /** What tells without reading whether a file is still the same. */
    private record Stamp(Path real, Object identity, Instant modified, long size) {}

    /**
     * A file as it was last looked at.
     *
     * @param settled whether an equal stamp proves an equal file
     * @param waitingSince when it was first not read because somebody seemed to be writing it; null if it was read
     * @param problems of the last look, which need not be those of the objects
     */
    private record State(
            Stamp stamp,
            boolean settled,
            @Nullable Instant waitingSince,
            String digest,
            List<ClusterObject> objects,
            List<Problem> problems) {
        State unread(List<Problem> told) {
            return new State(stamp, false, null, digest, objects, told);
        }

        State waiting(Instant now) {
            return new State(stamp, false, waitingSince == null ? now : waitingSince, digest, objects, problems);
        }

        boolean mayWait(Instant now) {
            return waitingSince == null || Duration.between(waitingSince, now).abs().compareTo(LONGEST_DEFERRAL) < 0;
        }
    }

    /**
     * All files together.
     *
     * @param revision another one whenever the objects are others
     * @param deferred whether a file was not read because it changed this very moment, so that another look is due soon
     * @param directories where a change may come from, each with the names that matter in it; none given means all
     */
    record View(
            long revision, List<ClusterObject> objects, List<Problem> problems, boolean deferred, Map<Path, Set<String>> directories) {}

    ManifestFiles(List<Path> roots, InstantSource clock) {
        this.roots = roots;
        this.clock = clock;
    }

    /** Looks at all files; reads those that are new or have changed. */
    View look() {
        deferred = false;
        List<Problem> problems = new ArrayList<>();
        Map<Path, Set<String>> directories = new TreeMap<>();
        Walk walk = new Walk(problems, directories);
        roots.forEach(walk::root);
        Map<Path, State> next = new TreeMap<>();
        List<ClusterObject> objects = new ArrayList<>();
        for (Path file : walk.found) {
            State state = state(file, states.get(file), problems);
            if (state != null) {
                next.put(file, state);
                objects.addAll(state.objects());
                problems.addAll(state.problems());
                watchTarget(file, state.stamp().real(), directories);
            }
        }
        if (!next.keySet().equals(states.keySet())) {
            revision++;
        }
        states = next;
        return new View(revision, objects, problems, deferred, directories);
    }

    private static void narrow(Map<Path, Set<String>> directories, Path directory, String name) {
        Set<String> before = directories.get(directory);
        if (before == null) {
            directories.put(directory, new HashSet<>(Set.of(name)));
        } else if (!before.isEmpty()) {
            // An empty set stands for all names already.
            before.add(name);
        }
    }

    /** A link's target may change where nobody looks. */
    private static void watchTarget(Path file, Path real, Map<Path, Set<String>> directories) {
        Path parent = real.getParent();
        if (parent != null && real.getFileName() != null && !real.equals(file.toAbsolutePath())) {
            narrow(directories, parent, real.getFileName().toString());
        }
    }

    /** One search for files. */
    private final class Walk {
        private final List<Problem> problems;
        private final Map<Path, Set<String>> directories;
        private final Set<Path> found = new TreeSet<>();
        private final Set<Path> visited = new HashSet<>();

        Walk(List<Problem> problems, Map<Path, Set<String>> directories) {
            this.problems = problems;
            this.directories = directories;
        }

        void root(Path root) {
            Path parent = root.toAbsolutePath().getParent();
            if (parent != null && root.getFileName() != null) {
                narrow(directories, parent, root.getFileName().toString());
            }
            if (Files.notExists(root)) {
                problems.add(new Problem(new Origin(root.toString(), 0), "there is no such file or directory; it counts once it is there"));
            } else if (Files.isDirectory(root)) {
                list(root, 0);
            } else {
                found.add(root);
            }
        }

        /** A directory that is there but cannot be listed is taken to hold what it held. */
        private void list(Path directory, int depth) {
            try {
                if (depth > DEEPEST || !visited.add(directory.toRealPath())) {
                    return;
                }
                directories.put(directory.toAbsolutePath(), Set.of());
                for (Path entry : entries(directory)) {
                    if (Files.isDirectory(entry)) {
                        list(entry, depth + 1);
                    } else if (isManifest(entry)) {
                        found.add(entry);
                    }
                }
            } catch (NoSuchFileException e) {
                // Gone since it was seen.
            } catch (IOException e) {
                problems.add(new Problem(new Origin(directory.toString(), 0), "cannot be listed: " + e.getMessage()));
                states.keySet().stream().filter(file -> file.startsWith(directory)).forEach(found::add);
            }
        }
    }

    /**
     * The entries of a directory, in order. Names with a leading dot are passed over: they are what editors leave, and the stage of a
     * mounted ConfigMap, whose files are links to it and are found by their own names.
     */
    private static List<Path> entries(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> !entry.getFileName().toString().startsWith(".")).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isManifest(Path file) {
        String name = file.toString();
        return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
    }

    /** What a file holds now; null if it is gone. */
    private @Nullable State state(Path file, @Nullable State before, List<Problem> problems) {
        try {
            Stamp stamp = stamp(file);
            boolean same = before != null && before.stamp().equals(stamp);
            if (before != null && before.settled() && same) {
                return before;
            }
            Instant now = clock.instant();
            Duration age = Duration.between(stamp.modified(), now);
            if (before != null && !same && age.compareTo(STILL_WRITTEN) < 0 && before.mayWait(now)) {
                deferred = true;
                return before.waiting(now);
            }
            byte[] bytes = bytes(stamp);
            if (!stamp(file).equals(stamp)) {
                // Written while it was read, so the bytes may be of any moment, even of one when it was empty.
                deferred = true;
                if (before != null && before.mayWait(now)) {
                    return before.waiting(now);
                }
            }
            return read(file, bytes, stamp, age.compareTo(COARSEST_CLOCK) > 0, before);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            problems.add(new Problem(new Origin(file.toString(), 0), "cannot be read: " + e.getMessage()
                    + (before == null ? "" : "; what it was before goes on counting")));
            return before == null ? null : before.unread(List.of());
        }
    }

    private static Stamp stamp(Path file) throws IOException {
        Path real = file.toRealPath();
        BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
        Object identity = attributes.fileKey() == null ? real : attributes.fileKey();
        return new Stamp(real, identity, attributes.lastModifiedTime().toInstant(), attributes.size());
    }

    private static byte[] bytes(Stamp stamp) throws IOException {
        if (!Files.isRegularFile(stamp.real())) {
            throw new IOException("not a regular file");
        }
        if (stamp.size() > LARGEST_FILE) {
            throw new IOException("larger than " + (LARGEST_FILE >> 20) + " MiB");
        }
        return Files.readAllBytes(stamp.real());
    }

    private State read(Path file, byte[] bytes, Stamp stamp, boolean settled, @Nullable State before) throws IOException {
        String digest = digest(bytes);
        if (before != null && before.digest().equals(digest)) {
            return new State(stamp, settled, null, digest, before.objects(), before.problems());
        }
        ManifestReader.Content content = ManifestReader.read(file.toString(), text(bytes));
        if (content.whole() || before == null || before.objects().isEmpty()) {
            revision++;
            return new State(stamp, settled, null, digest, content.objects(), content.problems());
        }
        List<Problem> told = new ArrayList<>(content.problems());
        told.add(new Problem(new Origin(file.toString(), 0), "until all of it can be parsed, what it was before goes on counting"));
        return new State(stamp, settled, null, digest, before.objects(), told);
    }

    private static String text(byte[] bytes) throws IOException {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith("\ufeff") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new IOException("not UTF-8", e);
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
