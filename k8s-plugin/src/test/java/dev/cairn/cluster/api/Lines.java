package dev.cairn.cluster.api;

import java.text.MessageFormat;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log to look at, from INFO on. */
final class Lines implements System.Logger {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    List<String> all() {
        return List.copyOf(lines);
    }

    @Override
    public String getName() {
        return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
        return level.getSeverity() >= Level.INFO.getSeverity();
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
        if (isLoggable(level)) {
            lines.add(level + " " + message + (thrown == null ? "" : ": " + thrown));
        }
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
        if (isLoggable(level)) {
            lines.add(level + " " + (parameters == null || parameters.length == 0 ? format : MessageFormat.format(format, parameters)));
        }
    }
}
