package dev.cairn.plugin.errors;

import dev.cairn.corefile.Use;
import dev.cairn.log.Log;
import dev.cairn.log.RateLimit;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads {@code errors}. */
public final class ErrorsSetup implements PluginSetup {
    private static final String CONSOLIDATE = "consolidate DURATION REGEXP [warning|error|info|debug] [show_first]";
    private static final int MAX_PATTERN = 10_000;

    /** As many lines say what is wrong; with an upstream away thousands of queries fail in a second, and all for one reason. */
    private static final int AT_ONCE = 100;

    private static final Duration LINE_EACH = Duration.ofMillis(200);
    private static final Map<String, Log.Level> LEVELS =
            Map.of("warning", Log.Level.WARNING, "error", Log.Level.ERROR, "info", Log.Level.INFO, "debug", Log.Level.DEBUG);

    @Override
    public String name() {
        return "errors";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        if (use.expect(0, 1, "errors") && !use.arg(0, "stdout").equals("stdout")) {
            use.error("'" + use.arg(0) + "' is not known here: errors go to standard output; remove it");
        }
        List<Consolidation> consolidations = new ArrayList<>();
        for (Use line : use.block()) {
            switch (line.name()) {
                case "stacktrace" -> {
                    line.expect(0, 0, "stacktrace");
                    block.stackTraces(true);
                }
                case "consolidate" -> {
                    Consolidation read = consolidation(line, block.host().scheduler());
                    if (read != null) {
                        consolidations.add(read);
                    }
                }
                default -> line.unknown(List.of("stacktrace", "consolidate"));
            }
        }
        ErrorsPlugin plugin = new ErrorsPlugin(consolidations, new RateLimit(AT_ONCE, LINE_EACH, System::nanoTime));
        block.add(plugin);
        block.onStop(plugin::stop);
    }

    private static @Nullable Consolidation consolidation(Use line, ScheduledExecutorService scheduler) {
        if (!line.expect(2, 4, CONSOLIDATE)) {
            return null;
        }
        Duration period = line.durationArg(0, Duration.ofNanos(1), Duration.ofDays(365), Duration.ofMinutes(1));
        Pattern pattern = pattern(line);
        List<String> options = new ArrayList<>(line.args().subList(2, line.count()));
        boolean showFirst = !options.isEmpty() && options.getLast().equals("show_first");
        if (showFirst) {
            options.removeLast();
        }
        Log.Level level = options.isEmpty() ? Log.Level.ERROR : LEVELS.get(options.getFirst());
        if (level == null || options.size() > 1) {
            line.error("'" + String.join(" ", options) + "' is not a level, alone or with show_first after it; write: " + CONSOLIDATE);
            return null;
        }
        return new Consolidation(period, pattern, level, showFirst, scheduler);
    }

    private static Pattern pattern(Use line) {
        String text = line.arg(1);
        if (text.length() > MAX_PATTERN) {
            line.error("the regular expression has " + text.length() + " characters; write one of at most " + MAX_PATTERN);
            return Pattern.compile("");
        }
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            line.error("'" + text + "' is not a regular expression: " + e.getDescription() + " at character " + (e.getIndex() + 1));
            return Pattern.compile("");
        }
    }
}
