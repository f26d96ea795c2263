package dev.cairn.proxy.ipvs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Run inside the virtual machine, by {@code IpvsKernelTest}: makes all checks and prints a line for each. */
public final class CheckRun {
    /** What a line of a result begins with. */
    static final String PASSED = "PASSED ";
    static final String FAILED = "FAILED ";
    /** What a line break is in a reason. */
    static final String BREAK = " // ";

    /** Something to be tried. */
    interface Check {
        void run() throws Exception;
    }

    private CheckRun() {}

    /** The names of all checks, for those who wait for the results. */
    static List<String> names() {
        return List.copyOf(checks().keySet());
    }

    private static Map<String, Check> checks() {
        Map<String, Check> checks = new LinkedHashMap<>(IpvsChecks.all());
        checks.putAll(SctpChecks.all());
        checks.putAll(TakeOverChecks.all());
        checks.putAll(RepairChecks.all());
        return checks;
    }

    /** Makes all checks, or with an argument those whose names match it. */
    public static void main(String[] args) {
        Map<String, Check> checks = checks();
        checks.keySet().removeIf(name -> args.length > 0 && !name.matches(args[0]));
        checks.forEach((name, check) -> {
            long begun = System.nanoTime();
            try {
                check.run();
                System.out.println(PASSED + name + ": in " + (System.nanoTime() - begun) / 1_000_000 + " ms");
            } catch (Throwable e) {
                StackTraceElement place = Stream.of(e.getStackTrace()).filter(frame -> frame.getClassName().startsWith(CheckRun.class.getPackageName()))
                        .findFirst().orElse(e.getStackTrace()[0]);
                System.out.println(FAILED + name + ": " + String.valueOf(e).replaceAll("\\R\\s*", BREAK) + " at " + place);
            }
        });
    }
}
