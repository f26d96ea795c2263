package dev.cairn.plugin.auto;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.ZoneListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads {@code auto}. */
public final class AutoSetup implements PluginSetup {
    private static final List<String> PROPERTIES = List.of("directory", "reload");
    private static final Duration DEFAULT_RELOAD = Duration.ofMinutes(1);
    private static final Duration MAX_RELOAD = Duration.ofDays(365);
    private static final int MAX_PATTERN = 10_000;

    @Override
    public String name() {
        return "auto";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        AutoSettings settings = new Reader().read(uses.getFirst(), block);
        if (settings == null) {
            return;
        }
        AutoDirectory directory = new AutoDirectory(settings, block.host().scheduler());
        AutoPlugin plugin = new AutoPlugin(settings.zones(), directory);
        block.add(plugin);
        block.onStart(() -> {
            if (block.plugins().getLast() == plugin) {
                plugin.last();
            }
            directory.start(ZoneListener.of(block));
        });
        block.onStop(directory::stop);
    }

    /** Reads one directive, line by line. */
    private static final class Reader {
        private @Nullable Path directory;
        private Pattern pattern = AutoSettings.DEFAULT_PATTERN;
        private String template = AutoSettings.DEFAULT_TEMPLATE;
        private Duration reload = DEFAULT_RELOAD;

        @Nullable AutoSettings read(Use use, Block block) {
            for (Use line : use.block()) {
                switch (line.name()) {
                    case "directory" -> directory(line, block);
                    case "reload" -> {
                        if (line.expect(1, 1, "reload DURATION (0 to look only once)")) {
                            reload = line.durationArg(0, Duration.ZERO, MAX_RELOAD, DEFAULT_RELOAD);
                        }
                    }
                    case "upstream" -> line.warning("does nothing any more: remove it");
                    default -> line.unknown(PROPERTIES);
                }
            }
            if (directory == null) {
                if (use.block().stream().noneMatch(line -> line.name().equals("directory"))) {
                    use.error("has no directory: add a line such as: directory /etc/coredns/zones");
                }
                return null;
            }
            return new AutoSettings(block.zonesOr(use.zones(0)), directory, pattern, template, reload);
        }

        private void directory(Use line, Block block) {
            if (!line.expect(1, 3, "directory DIR [REGEXP ORIGIN_TEMPLATE]")) {
                return;
            }
            directory = block.file(line.arg(0));
            if (line.count() == 2) {
                line.error("a REGEXP needs an ORIGIN_TEMPLATE; write: directory " + line.arg(0) + " " + line.arg(1) + " {1}");
            } else if (line.count() == 3) {
                pattern(line);
            }
        }

        private void pattern(Use line) {
            if (line.arg(1).length() > MAX_PATTERN) {
                line.error("the REGEXP is longer than " + MAX_PATTERN + " characters: shorten it");
                return;
            }
            try {
                pattern = Pattern.compile(line.arg(1));
                template = line.arg(2);
                if (pattern.matcher("").groupCount() == 0) {
                    line.error("the REGEXP needs at least one group: write one such as db\\.(.*)");
                }
            } catch (PatternSyntaxException e) {
                line.error("\"" + line.arg(1) + "\" is not a regular expression: " + e.getDescription() + ": write one such as db\\.(.*)");
            }
        }
    }
}
