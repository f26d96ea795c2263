package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The resolvers that programs in pods bring along: each is a command that prints a name's addresses, and ends with 2 if it has none. */
enum Resolver {
    GLIBC {
        @Override
        List<String> command() {
            return List.of("getent", "ahosts");
        }
    },
    /** That of Alpine images. It asks all its questions at once, and takes any failure of one for a failure of all. */
    MUSL {
        @Override
        List<String> command() throws IOException, InterruptedException {
            return List.of(built("resolve.c", "resolve-musl", "musl-gcc", "-static", "-Os", "-Wall", "-o"));
        }
    },
    /** Go's own, without the C library. */
    GO {
        @Override
        List<String> command() throws IOException, InterruptedException {
            return List.of(built("resolve.go", "resolve-go", "env", "CGO_ENABLED=0", "GOTOOLCHAIN=local", "go", "build", "-o"));
        }
    },
    /** The C library's, with the questions of Python. */
    PYTHON {
        @Override
        List<String> command() {
            return List.of("python3", "-c", """
                    import socket, sys
                    try:
                        for found in socket.getaddrinfo(sys.argv[1], None, type=socket.SOCK_STREAM):
                            print(found[4][0])
                    except socket.gaierror as e:
                        sys.exit(2 if e.errno == socket.EAI_NONAME else 3)
                    """);
        }
    };

    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));

    /** The words before the name. */
    abstract List<String> command() throws IOException, InterruptedException;

    /** Compiles a source once, into the build directory. */
    private static String built(String sourceName, String programName, String... compiler) throws IOException, InterruptedException {
        Path source = ROOT.resolve("dns-server/src/test/resources/resolvers").resolve(sourceName);
        Path program = Files.createDirectories(ROOT.resolve("dns-server/build/resolvers")).resolve(programName);
        if (!Files.exists(program) || Files.getLastModifiedTime(program).compareTo(Files.getLastModifiedTime(source)) < 0) {
            List<String> command = new ArrayList<>(List.of(compiler));
            command.addAll(List.of(program.toString(), source.toString()));
            Programs.Result result = Programs.run(command.toArray(String[]::new));
            assertThat(result.code())
                    .as("%s; if a compiler is missing, run tools/setup (musl-gcc is in musl-tools, go in golang-go): %s", command, result.output())
                    .isZero();
        }
        return program.toString();
    }
}
