import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of an image in a directory, by their paths in the image without the first slash. */
final class Tree {
    /** When every file was changed last. An AOT cache only goes with jars that have the time they had when it was made. */
    static final Instant CHANGED = Instant.parse("1980-02-01T00:00:00Z");

    final Path root;

    Tree(Path root) throws IOException {
        this.root = Files.createDirectories(root.toAbsolutePath());
    }

    Path at(String path) {
        return root.resolve(path);
    }

    void write(String path, String text) throws IOException {
        Files.writeString(place(path), text);
    }

    /** Copies a file, or what a link leads to. */
    void copy(Path from, String path) throws IOException {
        Files.copy(from, place(path), StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(at(path), PosixFilePermissions.fromString(Files.isExecutable(from) ? "rwxr-xr-x" : "rw-r--r--"));
    }

    void link(String path, String target) throws IOException {
        Files.deleteIfExists(at(path));
        Files.createSymbolicLink(place(path), Path.of(target));
    }

    boolean has(String path) {
        return Files.exists(at(path), LinkOption.NOFOLLOW_LINKS);
    }

    private Path place(String path) throws IOException {
        Path place = at(path);
        Files.createDirectories(place.getParent());
        return place;
    }

    /** All regular files below some directories. */
    List<Path> files(String... below) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String directory : below) {
            try (Stream<Path> found = Files.walk(at(directory))) {
                found.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).forEach(files::add);
            }
        }
        return files;
    }

    /** All files and links, sorted. Directories are there because of them, but for empty ones. */
    List<String> paths() throws IOException {
        try (Stream<Path> found = Files.walk(root)) {
            return found.filter(path -> !path.equals(root) && (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || isEmpty(path)))
                    .map(path -> root.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    private static boolean isEmpty(Path directory) {
        String[] names = directory.toFile().list();
        return names == null || names.length == 0;
    }

    /** Gives all files the one time. */
    void settle() throws IOException {
        for (Path file : files("")) {
            Files.setLastModifiedTime(file, FileTime.from(CHANGED));
        }
    }

    /** Another tree of the same files, to which more can be added. */
    Tree copy(Path to) throws IOException {
        Tree copy = new Tree(to);
        for (String path : paths()) {
            if (Files.isRegularFile(at(path), LinkOption.NOFOLLOW_LINKS)) {
                Files.createLink(copy.place(path), at(path));
            } else if (Files.isSymbolicLink(at(path))) {
                copy.link(path, Files.readSymbolicLink(at(path)).toString());
            } else {
                Files.createDirectories(copy.at(path));
            }
        }
        return copy;
    }

    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path closed, IOException failure) throws IOException {
                Files.delete(closed);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
