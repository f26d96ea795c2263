package dev.cairn.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Programs;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The archives that {@code distTar} makes. */
class ReleaseTest {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final String VERSION = System.getProperty("cairn.version");
    private static final Pattern ENTRY = Pattern.compile("(\\S+) +(\\S+) +[0-9]+ (\\S+ \\S+) [^/]+/(.*)");

    @TempDir
    Path directory;

    private static Path archive(String module, String command) {
        return ROOT.resolve(module + "/build/distributions/" + command + "-" + VERSION + ".tar.gz");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({"dns-server, cairn, 1", "proxy-companion, cairn-proxy, 8", "node, cairn-node, 8"})
    void archives_tell_nothing_of_the_machine_that_made_them(String module, String command, String section) throws Exception {
        Programs.Result listing = Programs.run("env", "TZ=UTC", "tar", "--numeric-owner", "-tvzf", archive(module, command).toString());
        assertThat(listing.code()).as(listing.output()).isZero();
        List<String> lines = listing.output().lines().toList();
        assertThat(lines).allSatisfy(line -> {
            Matcher entry = ENTRY.matcher(line);
            assertThat(entry.matches()).as(line).isTrue();
            assertThat(entry.group(1)).as(line).isEqualTo(
                    entry.group(4).endsWith("/") || entry.group(4).isEmpty() ? "drwxr-xr-x" : entry.group(4).startsWith("bin/") ? "-rwxr-xr-x" : "-rw-r--r--");
            assertThat(entry.group(2)).as(line).isEqualTo("0/0");
            assertThat(entry.group(3)).as("the time, which is the same for all: %s", line).isLessThan("1981").isEqualTo(time(lines.getFirst()));
        });
        assertThat(lines).noneMatch(line -> line.endsWith(".aot"));
        String top = " " + command + "-" + VERSION + "/";
        assertThat(Stream.of("bin/" + command, "LICENSE", "sbom.cdx.json", "share/man/man" + section + "/" + command + "." + section,
                "share/bash-completion/completions/" + command)).allSatisfy(file -> assertThat(lines).anyMatch(line -> line.endsWith(top + file)));
    }

    /** One that were not would do nothing, and say so nowhere. */
    @Test
    void methods_that_launchers_tell_the_compiler_of_are_there() throws Exception {
        unpack("dns-server", "cairn");
        List<String> apart = Pattern.compile("=dontinline,(\\S+)").matcher(Files.readString(directory.resolve("bin/cairn"))).results()
                .map(found -> found.group(1)).toList();
        assertThat(apart).isNotEmpty().allSatisfy(method -> {
            String[] parts = method.split("::", 2);
            assertThat(Class.forName(parts[0]).getDeclaredMethods()).as(method).anyMatch(each -> each.getName().equals(parts[1]));
        });
    }

    @ParameterizedTest
    @CsvSource({"bin, sh cairn", "bin, ./cairn", ".,bin/cairn", "links, sh relative", "links, ./second", "lib, PATH=../links:$PATH second"})
    void the_launcher_finds_its_home_however_it_is_called(String from, String call) throws Exception {
        unpack("dns-server", "cairn");
        Path links = Files.createDirectory(directory.resolve("links"));
        Files.createSymbolicLink(links.resolve("relative"), Path.of("../bin/cairn"));
        Files.createSymbolicLink(links.resolve("second"), links.resolve("relative"));
        assertThat(Programs.run("sh", "-c", "cd '" + directory.resolve(from) + "' && " + call + " --version").output()).startsWith("Cairn-");
    }

    @ParameterizedTest
    @CsvSource({"25.0.1, chosen", "26-ea, chosen", "26, chosen", "100, chosen", "24.0.2, Cairn-", "1.8.0_402, Cairn-", "'', Cairn-"})
    void the_launcher_takes_the_named_java_if_it_is_new_enough(String version, String output) throws Exception {
        assertThat(startWithJavaOf("IMPLEMENTOR=\"X = \\\"Y\\\"\"\nJAVA_VERSION=\"" + version + "\"\nSOURCE=\"\"\n")).startsWith(output);
    }

    @Test
    void the_last_line_of_what_a_java_says_of_itself_counts_without_its_end() throws Exception {
        assertThat(startWithJavaOf("SOURCE=\"\"\nJAVA_VERSION=\"25.0.1\"")).startsWith("chosen");
    }

    /** What the launcher prints with a named Java home that has this {@code release}, and a java that prints "chosen". */
    private String startWithJavaOf(String release) throws Exception {
        unpack("dns-server", "cairn");
        Path home = Files.createDirectories(directory.resolve("home of java/bin")).getParent();
        Files.writeString(home.resolve("release"), release);
        Path java = Files.writeString(home.resolve("bin/java"), "#!/bin/sh\necho chosen\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Programs.run("env", "CAIRN_JAVA_HOME=" + home, directory.resolve("bin/cairn").toString(), "--version").output();
    }

    private static String time(String line) {
        return ENTRY.matcher(line).replaceFirst("$3");
    }

    /** Whatever umask this build runs with; {@code ./gradlew reproduce} is the whole proof. */
    @ParameterizedTest(name = "{1}")
    @CsvSource({"dns-server, cairn", "proxy-companion, cairn-proxy"})
    void nor_do_the_jars_in_them(String module, String command) throws Exception {
        unpack(module, command);
        List<Path> own;
        try (Stream<Path> jars = Files.list(directory.resolve("lib"))) {
            own = jars.filter(jar -> jar.getFileName().toString().endsWith("-" + VERSION + ".jar")).toList();
        }
        assertThat(own).extracting(jar -> jar.getFileName().toString()).contains(module + "-" + VERSION + ".jar", "record-store-" + VERSION + ".jar");
        for (Path jar : own) {
            try (FileSystem entries = FileSystems.newFileSystem(jar, Map.of("enablePosixFileAttributes", "true"));
                    Stream<Path> all = Files.walk(entries.getPath("/"))) {
                for (Path entry : all.filter(each -> each.getNameCount() > 0).toList()) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(entry))).as("%s in %s", entry, jar.getFileName())
                            .isEqualTo(Files.isDirectory(entry) ? "rwxr-xr-x" : "rw-r--r--");
                    assertThat(LocalDateTime.ofInstant(Files.getLastModifiedTime(entry).toInstant(), ZoneId.systemDefault()))
                            .as("%s in %s", entry, jar.getFileName()).isEqualTo("1980-02-01T00:00:00");
                }
            }
        }
    }

    private void unpack(String module, String command) throws Exception {
        assertThat(Programs.run("tar", "-xzf", archive(module, command).toString(), "-C", directory.toString(), "--strip-components=1").code()).isZero();
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({"dns-server, cairn", "proxy-companion, cairn-proxy", "node, cairn-node"})
    void the_bill_of_materials_has_every_jar_with_its_digest(String module, String command) throws Exception {
        unpack(module, command);
        Path script = Files.writeString(directory.resolve("read.py"), """
                import json, sys
                bom = json.load(open(sys.argv[1]))
                print(bom['bomFormat'], bom['specVersion'], bom['metadata']['component']['name'], bom['metadata']['component']['version'])
                for c in bom['components']: print(c['hashes'][0]['content'], c['purl'], c['licenses'][0]['license']['id'])
                """);
        List<String> lines = Programs.run("python3", script.toString(), directory.resolve("sbom.cdx.json").toString()).output().lines().toList();
        assertThat(lines.getFirst()).isEqualTo("CycloneDX 1.5 " + command + " " + VERSION);
        List<String> listed = lines.stream().skip(1).map(line -> line.substring(0, line.indexOf(' '))).toList();
        try (Stream<Path> jars = Files.list(directory.resolve("lib"))) {
            for (Path jar : jars.filter(file -> !Files.isDirectory(file)).toList()) {
                String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
                // The command's own jar is what the list is about.
                assertThat(jar.getFileName().toString().startsWith(module + "-") || listed.contains(digest)).as("%s is listed", jar.getFileName()).isTrue();
            }
        }
        assertThat(lines).anyMatch(line -> line.matches("[0-9a-f]{64} pkg:maven/info.picocli/picocli@[0-9.]+ Apache-2.0"));
        for (String processor : List.of("x86_64", "aarch_64")) {
            assertThat(lines).anyMatch(line -> line.matches("[0-9a-f]{64} pkg:maven/io.netty/netty-transport-native-epoll@\\S+\\?classifier=linux-" + processor + " Apache-2.0"));
        }
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({"dns-server, cairn, 3", "proxy-companion, cairn-proxy, 1", "node, cairn-node, 3"})
    void native_libraries_lie_beside_the_jars_with_their_licences(String module, String command, int count) throws Exception {
        unpack(module, command);
        try (Stream<Path> jars = Files.list(directory.resolve("lib"))) {
            assertThat(jars).noneMatch(jar -> jar.toString().contains("-linux-"));
        }
        try (Stream<Path> libraries = Files.list(directory.resolve("lib/native"))) {
            List<String> names = libraries.map(library -> library.getFileName().toString()).filter(name -> name.endsWith(".so")).toList();
            assertThat(names).hasSize(2 * count).contains("libnetty_transport_native_epoll_x86_64.so", "libnetty_transport_native_epoll_aarch_64.so");
        }
        if (count > 1) {
            try (Stream<Path> licences = Files.walk(directory.resolve("lib/native/licenses"))) {
                assertThat(licences.map(licence -> licence.getFileName().toString())).contains("LICENSE.boringssl.txt", "LICENSE.quiche.txt", "NOTICE.txt");
            }
        }
    }
}
