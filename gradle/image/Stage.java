import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Fills a tree: a Java runtime, our programs, and what they need of this machine's system, which is Debian or a relative of it. */
final class Stage {
    /**
     * What our code and the libraries use of the JDK. Jackson and SnakeYAML would like java.desktop and java.sql for kinds of objects that
     * nobody here has, and do without; Netty would like jdk.jfr for events of its allocators.
     */
    private static final String MODULES = String.join(",", "java.base", "java.logging", "java.management", "java.naming", "java.net.http",
            "jdk.management", "jdk.unsupported");

    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final String HOME = "opt/cairn";
    private static final String ARCHITECTURE = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
    private static final Pattern LAST_LINE =
            Pattern.compile("^exec \"\\$java\" (.*) \\$cache \\$CAIRN_OPTS -Djava.library.path=\"\\$home/lib/native\" -cp \"\\$classes\" (\\S+) \"\\$@\"$", Pattern.MULTILINE);
    private static final Pattern EXPORT = Pattern.compile("^export (\\w+)=\"\\$\\{\\1:-([^}]*)}\"$", Pattern.MULTILINE);
    private static final Pattern LIBRARY = Pattern.compile("(?:=> )?(/\\S+) \\(0x");

    private final Tree tree;
    private final Set<Path> taken = new TreeSet<>();

    Stage(Tree tree) {
        this.tree = tree;
    }

    /** Links a runtime. Classes are not compressed in it: layers are, which is smaller, and they are read faster. */
    void runtime(Path jdk) throws IOException {
        Files.createDirectories(tree.at(HOME));
        run(List.of(jdk.resolve("bin/jlink").toString(), "--add-modules", MODULES, "--strip-debug", "--no-header-files", "--no-man-pages",
                "--compress", "zip-0", "--dedup-legal-notices=error-if-not-same-content",
                "--output", tree.at(HOME + "/runtime").toString()));
        for (String tool : List.of("keytool", "jrunscript", "rmiregistry", "jwebserver")) {
            Files.deleteIfExists(tree.at(HOME + "/runtime/bin/" + tool));
        }
    }

    /** Puts an installed program into the tree: its jars, what the launcher is to run, and its commands. */
    void program(Path installation, String name, List<String> commands) throws IOException {
        String script = Files.readString(installation.resolve("bin/" + name));
        Matcher command = LAST_LINE.matcher(script);
        if (!command.find()) {
            throw new IOException("bin/" + name + " does not end as expected: change gradle/image/Stage.java as well");
        }
        libraries(installation.resolve("lib/native"));
        List<String> jars = new ArrayList<>();
        try (Stream<Path> found = Files.list(installation.resolve("lib"))) {
            for (Path jar : found.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
                jars.add("{home}/lib/" + jar.getFileName());
                if (!tree.has(HOME + "/lib/" + jar.getFileName())) {
                    tree.copy(jar, HOME + "/lib/" + jar.getFileName());
                }
            }
        }
        List<String> arguments = new ArrayList<>(List.of("{home}/runtime/bin/java"));
        arguments.addAll(List.of(command.group(1).split(" ")));
        arguments.addAll(List.of("-XX:AOTCache={home}/lib/" + name + ".aot", "-Xlog:cds*=off", "-Xlog:aot*=off", "{options}",
                "-cp", String.join(":", jars), command.group(2)));
        tree.write(HOME + "/" + name + ".args", String.join("\n", arguments) + "\n");
        StringBuilder environment = new StringBuilder();
        for (Matcher export = EXPORT.matcher(script); export.find();) {
            environment.append(export.group(1)).append('=').append(export.group(2)).append('\n');
        }
        tree.write(HOME + "/" + name + ".env", environment.toString());

        if (!tree.has(HOME + "/bin/launcher")) {
            Files.createDirectories(tree.at(HOME + "/bin"));
            run(List.of("musl-gcc", "-static", "-Os", "-s", "-Wall", "-Wextra", "-Werror", "-o", tree.at(HOME + "/bin/launcher").toString(),
                    Path.of(System.getProperty("cairn.root", "."), "gradle/image/launcher.c").toString()));
        }
        for (String link : commands) {
            tree.link(link, "../".repeat((int) link.chars().filter(c -> c == '/').count()) + HOME + "/bin/launcher");
        }
    }

    /** The environment that a program's launcher would have set, and the image sets. */
    static Map<String, String> environment(Tree tree, String name) throws IOException {
        Map<String, String> environment = new TreeMap<>(Map.of("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"));
        for (String line : Files.readAllLines(tree.at(HOME + "/" + name + ".env"))) {
            environment.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
        }
        return environment;
    }

    /** Native libraries of this machine's kind, to where they are looked for. */
    private void libraries(Path from) throws IOException {
        try (Stream<Path> found = Files.list(from)) {
            for (Path library : found.filter(file -> file.toString().endsWith("_" + ARCHITECTURE + ".so")).toList()) {
                tree.copy(library, "usr/lib/" + library.getFileName());
            }
        }
    }

    void accounts() throws IOException {
        tree.write("etc/passwd", """
                root:x:0:0:root:/:/sbin/nologin
                nobody:x:65534:65534:nobody:/:/sbin/nologin
                nonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin
                """);
        tree.write("etc/group", "root:x:0:\nnobody:x:65534:\nnonroot:x:65532:\n");
        tree.write("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
        Files.createDirectories(tree.at("tmp"));
        for (String merged : List.of("bin", "sbin", "lib")) {
            tree.link(merged, "usr/" + merged);
        }
        Files.createDirectories(tree.at("usr/bin"));
        Files.createDirectories(tree.at("usr/sbin"));
    }

    /**
     * Copies the libraries of this machine that files are linked with, and the loader. Files that are linked with each other find each other
     * in the image, even where this machine's loader knows the libraries of a JDK.
     */
    void librariesOf(List<Path> files) throws IOException {
        List<String> command = new ArrayList<>(List.of("ldd"));
        Set<Path> own = new TreeSet<>();
        for (Path file : files) {
            if (isElf(file)) {
                command.add(file.toString());
                own.add(file.getFileName());
            }
        }
        Set<Path> libraries = new TreeSet<>();
        for (Matcher library = LIBRARY.matcher(run(command)); library.find();) {
            libraries.add(Path.of(library.group(1)));
        }
        for (Path library : libraries) {
            if (!library.startsWith(tree.root) && !own.contains(library.getFileName())) {
                system(library);
            }
        }
        recordPackages();
    }

    /** What the proxy and the node cache run: nftables, both kinds of iptables, ipset, and ip. Written down here by the names they call. */
    void networkPrograms() throws IOException {
        List<Path> programs = new ArrayList<>();
        for (String name : List.of("nft", "ipset", "ip", "xtables-nft-multi", "xtables-legacy-multi")) {
            programs.add(system(find(name)));
        }
        for (String family : List.of("iptables", "ip6tables")) {
            for (String end : List.of("", "-save", "-restore")) {
                tree.link("usr/sbin/" + family + end, "xtables-nft-multi");
                tree.link("usr/sbin/" + family + "-nft" + end, "xtables-nft-multi");
                tree.link("usr/sbin/" + family + "-legacy" + end, "xtables-legacy-multi");
            }
        }
        Path modules = extensions();
        try (Stream<Path> found = Files.list(modules)) {
            for (Path module : found.sorted().toList()) {
                if (Files.isSymbolicLink(module)) {
                    tree.link(inTree(module), Files.readSymbolicLink(module).toString());
                } else {
                    programs.add(system(module));
                }
            }
        }
        // nft knows protocols by this file.
        tree.write("etc/protocols", """
                ip 0 IP
                icmp 1 ICMP
                igmp 2 IGMP
                tcp 6 TCP
                udp 17 UDP
                esp 50 ESP
                ah 51 AH
                ipv6-icmp 58 IPv6-ICMP
                sctp 132 SCTP
                udplite 136 UDPLite
                """);
        Files.createDirectories(tree.at("run"));
        librariesOf(programs);
    }

    private static Path extensions() throws IOException {
        for (Path directory : List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"))) {
            try (Stream<Path> found = Files.find(directory, 2, (path, _) -> path.endsWith("xtables"))) {
                Path modules = found.findFirst().orElse(null);
                if (modules != null) {
                    return modules;
                }
            }
        }
        throw new IOException("there are no extensions of iptables here: run tools/setup");
    }

    private static Path find(String program) throws IOException {
        for (String directory : List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin")) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return Path.of(directory, program);
            }
        }
        throw new IOException(program + " is not installed: run tools/setup");
    }

    /** Where a file of this machine has its place in the image, in which /bin, /sbin and /lib are links into /usr. */
    private static String inTree(Path file) {
        String path = file.toString().substring(1);
        return path.startsWith("usr/") || path.startsWith("lib64/") ? path : "usr/" + path;
    }

    private Path system(Path file) throws IOException {
        tree.copy(file, inTree(file));
        taken.add(file);
        return tree.at(inTree(file));
    }

    /** Tells scanners of images which packages files are of, and carries their licences. */
    private void recordPackages() throws IOException {
        Set<String> names = new TreeSet<>();   // /lib and /usr/lib are the same, and dpkg may know either
        for (Path file : taken) {
            String path = inTree(file).replaceFirst("^usr/", "");
            names.addAll(List.of(file.toString(), "/" + path, "/usr/" + path));
        }
        List<String> command = new ArrayList<>(List.of("dpkg-query", "-S"));
        command.addAll(names);
        Map<String, String> owners = new TreeMap<>();
        for (String line : answer(command).lines().filter(line -> line.contains(": ") && !line.startsWith("diversion by ")).toList()) {
            String[] parts = line.split(": ", 2);
            owners.put(parts[1].replaceFirst("^/(usr/)?", ""), parts[0]);
        }
        Set<String> packages = new TreeSet<>();
        for (Path file : taken) {
            String owner = owners.get(inTree(file).replaceFirst("^usr/", ""));
            if (owner == null) {
                throw new IOException("no Debian package has " + file);
            }
            packages.add(owner);
        }
        for (String owner : packages) {
            String name = owner.replaceFirst(":.*", "");
            tree.write("var/lib/dpkg/status.d/" + name, run(List.of("dpkg-query", "-s", owner)));
            Path licence = Path.of("/usr/share/doc", name, "copyright");
            if (Files.exists(licence)) {
                tree.copy(licence, licence.toString().substring(1));
            }
        }
    }

    /**
     * Writes what an image is made of: the list of an installation, which has the jars, with the Java runtime and all Debian packages that
     * files were taken from. The licences of the latter are in the image, where Debian has them.
     */
    void bill(Path jdk, Path installation, String name) throws IOException {
        tree.copy(installation.resolve("LICENSE"), HOME + "/LICENSE");
        List<String> more = new ArrayList<>(List.of(javaComponent(jdk)));
        try (Stream<Path> packages = Files.list(tree.at("var/lib/dpkg/status.d"))) {
            for (Path each : packages.sorted().toList()) {
                more.add(packageComponent(Files.readString(each)));
            }
        }
        String jars = Files.readString(installation.resolve("sbom.cdx.json"));
        int end = jars.lastIndexOf(']');   // components come last in it
        tree.write(HOME + "/sbom/" + name + ".cdx.json", jars.substring(0, end).stripTrailing() + ",\n" + String.join(",\n", more) + "\n]}\n");
    }

    private static String javaComponent(Path jdk) throws IOException {
        String release = Files.readString(jdk.resolve("release"));
        String version = field(release, "JAVA_RUNTIME_VERSION=\"", "\"");
        return Json.of("type", "framework", "bom-ref", "java-runtime", "publisher", field(release, "IMPLEMENTOR=\"", "\""), "name", "OpenJDK",
                "version", version, "licenses", licence("id", "GPL-2.0-with-classpath-exception"),
                "purl", "pkg:generic/openjdk@" + version.replace("+", "%2B"));
    }

    private static String packageComponent(String status) {
        String name = field(status, "Package: ", "\n");
        String version = field(status, "Version: ", "\n");
        String purl = "pkg:deb/debian/" + name + "@" + version.replace("+", "%2B").replace(":", "%3A") + "?arch=" + field(status, "Architecture: ", "\n");
        return Json.of("type", "library", "bom-ref", purl, "name", name, "version", version,
                "licenses", licence("name", "see /usr/share/doc/" + name + "/copyright"), "purl", purl);
    }

    private static Json.Raw licence(String by, String value) {
        return Json.raw("[" + Json.of("license", Json.raw(Json.of(by, value))) + "]");
    }

    private static String field(String text, String before, String after) {
        int start = text.indexOf(before);
        return start < 0 ? "unknown" : text.substring(start + before.length(), text.indexOf(after, start + before.length()));
    }

    private static boolean isElf(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return Arrays.equals(bytes.readNBytes(ELF.length), ELF);
        }
    }

    private static String answer(List<String> command) throws IOException {
        return output(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
    }

    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = output(process);
        if (process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }

    private static String output(Process process) throws IOException {
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.onExit().join();
        return output;
    }
}
