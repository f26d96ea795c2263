package dev.cairn.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the command line asks for.
 *
 * @param parts to be measured, in the order they are known
 */
record Arguments(Path cairn, Path proxy, Path out, boolean quick, boolean help, List<String> parts) {
    static final String USAGE = """
            usage: ./gradlew bench [-PbenchArgs="[--quick] [--full] [--only PART,...] [--out DIRECTORY]"]
              --quick   seconds instead of minutes, to see that everything works; writes to benchmarks/build/performance
              --full    the long parts, too
              --only    these parts only; what is known of others stays
              --out     where to write, instead of docs/performance
              --help    this, and the parts
            """;

    /**
     * Reads the arguments: the commands to be measured, the two directories to write to usually and when quick, then the user's.
     *
     * @throws IllegalArgumentException with a line for the user
     */
    static Arguments parse(List<String> args, List<Part> known) {
        if (args.size() < 4) {
            throw new IllegalArgumentException("needs CAIRN CAIRN-PROXY DIRECTORY QUICK-DIRECTORY first");
        }
        List<String> names = known.stream().map(Part::name).toList();
        boolean quick = false;
        boolean full = false;
        boolean help = false;
        String out = "";
        List<String> only = new ArrayList<>();
        for (int i = 4; i < args.size(); i++) {
            String option = args.get(i);
            switch (option) {
                case "--quick" -> quick = true;
                case "--full" -> full = true;
                case "--help" -> help = true;
                case "--out" -> out = value(args, ++i, option);
                case "--only" -> only.addAll(List.of(value(args, ++i, option).split(",", -1)));
                default -> throw new IllegalArgumentException("what is '" + option + "'? There are --quick, --full, --only, --out and --help");
            }
        }
        for (String name : only) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException("there is no part '" + name + "'; there are " + String.join(", ", names));
            }
        }
        boolean all = full;
        List<String> parts = known.stream().filter(part -> only.isEmpty() ? all || !part.isLong() : only.contains(part.name())).map(Part::name).toList();
        return new Arguments(Path.of(args.get(0)), Path.of(args.get(1)), Path.of(!out.isEmpty() ? out : args.get(quick ? 3 : 2)), quick, help, parts);
    }

    private static String value(List<String> args, int at, String option) {
        if (at >= args.size() || args.get(at).startsWith("--")) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return args.get(at);
    }
}
