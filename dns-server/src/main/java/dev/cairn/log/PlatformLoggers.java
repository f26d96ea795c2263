package dev.cairn.log;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is logged through {@link System.Logger}, by modules that do not know this package and by the JDK, to the process log; so
 * java.util.logging is never loaded. Cluster sources speak as the plugin they serve.
 */
public final class PlatformLoggers extends System.LoggerFinder {
    @Override
    public System.Logger getLogger(String name, Module module) {
        boolean cluster = name.startsWith("dev.cairn.cluster");
        return new Bridge(name, cluster ? Log.plugin("kubernetes") : Log.server(), cluster || name.startsWith("dev.cairn."));
    }

    /** @param ours whether lines below WARNING count */
    private record Bridge(String name, Log log, boolean ours) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return switch (level) {
                case ALL, TRACE, OFF -> false;
                case DEBUG -> ours && Log.debugging();
                case INFO -> ours;
                case WARNING, ERROR -> true;
            };
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                write(level, thrown == null ? message : message + ": " + thrown);
            }
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... parameters) {
            if (isLoggable(level)) {
                write(level, parameters == null || parameters.length == 0 ? format : MessageFormat.format(format, parameters));
            }
        }

        private void write(Level level, String message) {
            switch (level) {
                case ERROR -> log.error(message);
                case WARNING -> log.warning(message);
                case DEBUG -> log.debug(message);
                default -> log.info(message);
            }
        }
    }
}
