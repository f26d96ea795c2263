package dev.cairn.command;

import dev.cairn.log.Log;
import picocli.CommandLine.Option;

/** How the log looks; shared by the commands that serve. */
final class LogOptions {
    @Option(
            names = {"-log-format", "--log-format"},
            paramLabel = "text|json",
            defaultValue = "text",
            description = "How log lines look (default: ${DEFAULT-VALUE}).")
    private Log.Format format = Log.Format.TEXT;

    /** Has the log written so from now on. */
    Log.Format use() {
        Log.format(format);
        return format;
    }
}
