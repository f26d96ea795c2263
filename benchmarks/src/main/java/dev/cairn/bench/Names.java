package dev.cairn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names outside of the cluster: of an upstream's zone, and of a hosts file. */
final class Names {
    static final String ZONE = "example";
    /** Names in it are cached; others of the upstream are not. */
    static final String CACHED = "bench.example";
    /** Of a TTL of zero, since Unbound has no cache for some names only. */
    static final String UNCACHED = "warm.example";
    static final String RECORDS = "*.bench 3600 A 10.0.0.1\n*.warm 0 A 10.0.0.2\n";

    private static final int HOSTS = 10_000;

    private Names() {}

    static String host(int number) {
        return "service-" + number + "." + CACHED;
    }

    /** The first of them with their addresses. */
    static Path hosts(Path directory) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < HOSTS; i++) {
            text.append(address(i)).append(' ').append(host(i)).append('\n');
        }
        return Files.writeString(directory.resolve("hosts"), text);
    }

    private static String address(int number) {
        return "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
    }

    /** The same as records of a zone. */
    static String zone() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < HOSTS; i++) {
            text.append("service-").append(i).append(" 30 A ").append(address(i)).append('\n');
        }
        return text.toString();
    }

    /** Queries for all hosts, in mixed order. */
    static Path hostQueries(Path directory) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < HOSTS; i++) {
            text.append(host((int) (i * 2654435761L % HOSTS))).append(" A\n");
        }
        return Files.writeString(directory.resolve("queries"), text);
    }

    /** A file of queries for names that begin alike. */
    static Path queries(Path directory, String prefix, String zone, int count) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(prefix).append("-service-").append(i).append('.').append(zone).append(" A\n");
        }
        return Files.writeString(directory.resolve("queries-" + prefix), text);
    }
}
