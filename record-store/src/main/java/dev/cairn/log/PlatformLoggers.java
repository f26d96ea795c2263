package dev.cairn.log;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is logged through {@link System.Logger}, by cluster sources and by the JDK, to the process log; so java.util.logging is never
 * loaded. Cluster sources speak as the plugin they serve, unless the process has none.
 */
public final class PlatformLoggers extends System.LoggerFinder {
    private static volatile Log cluster = Log.plugin("kubernetes");

    /** Has cluster sources speak as this. */
    public static void clusterAs(Log log) {
        cluster = log;
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Bridge(name, name.startsWith("dev.cairn.cluster"), name.startsWith("dev.cairn."));
    }

    /**
     * What somebody who asked for a logger gets.
     *
     * @param source whether it is a cluster source
     * @param ours whether lines below WARNING count
     */
    private record Bridge(String name, boolean source, boolean ours) implements System.Logger {
        private Log log() {
            return source ? cluster : Log.server();
        }

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
            if (!isLoggable(level)) {
                return;
            }
            if (level == Level.ERROR && thrown != null) {
                log().defect(message, thrown);
            } else {
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
                case ERROR -> log().error(message);
                case WARNING -> log().warning(message);
                case DEBUG -> log().debug(message);
                default -> log().info(message);
            }
        }
    }
}
