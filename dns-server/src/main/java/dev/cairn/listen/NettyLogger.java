package dev.cairn.listen;

import dev.cairn.log.Log;
import dev.cairn.log.RateLimit;
import io.netty.util.internal.logging.AbstractInternalLogger;
import io.netty.util.internal.logging.FormattingTuple;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.MessageFormatter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What Netty has to say, from warnings on, as lines of the process log, and no more of them than somebody can read. By itself Netty looks for logging libraries
 * through all jars, and then prints by java.util.logging, which takes its time to load. Safe for all threads.
 */
final class NettyLogger extends AbstractInternalLogger {
    private static final long serialVersionUID = 1L;
    private static final Log LOG = Log.server();
    private static final RateLimit FEW = new RateLimit(10, Duration.ofSeconds(10), System::nanoTime);

    private NettyLogger(String name) {
        super(name);
    }

    /** Has all of Netty log here; to be called before any other use of it. */
    static void install() {
        InternalLoggerFactory.setDefaultFactory(new InternalLoggerFactory() {
            @Override
            protected InternalLogger newInstance(String name) {
                return new NettyLogger(name);
            }
        });
    }

    private void tell(boolean error, String message, @Nullable Throwable thrown) {
        String line = FEW.admit(name() + ": " + message);
        if (line == null) {
            return;
        }
        if (error && thrown != null) {
            LOG.defect(line, thrown);
        } else if (error) {
            LOG.error(line);
        } else {
            LOG.warning(thrown == null ? line : line + ": " + thrown);
        }
    }

    private void tell(boolean error, FormattingTuple formatted) {
        tell(error, formatted.getMessage(), formatted.getThrowable());
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public void trace(String message) {}

    @Override
    public void trace(String format, Object argument) {}

    @Override
    public void trace(String format, Object first, Object second) {}

    @Override
    public void trace(String format, Object... arguments) {}

    @Override
    public void trace(String message, Throwable thrown) {}

    @Override
    public boolean isDebugEnabled() {
        return false;
    }

    @Override
    public void debug(String message) {}

    @Override
    public void debug(String format, Object argument) {}

    @Override
    public void debug(String format, Object first, Object second) {}

    @Override
    public void debug(String format, Object... arguments) {}

    @Override
    public void debug(String message, Throwable thrown) {}

    @Override
    public boolean isInfoEnabled() {
        return false;
    }

    @Override
    public void info(String message) {}

    @Override
    public void info(String format, Object argument) {}

    @Override
    public void info(String format, Object first, Object second) {}

    @Override
    public void info(String format, Object... arguments) {}

    @Override
    public void info(String message, Throwable thrown) {}

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public void warn(String message) {
        tell(false, message, null);
    }

    @Override
    public void warn(String format, Object argument) {
        tell(false, MessageFormatter.format(format, argument));
    }

    @Override
    public void warn(String format, Object first, Object second) {
        tell(false, MessageFormatter.format(format, first, second));
    }

    @Override
    public void warn(String format, Object... arguments) {
        tell(false, MessageFormatter.arrayFormat(format, arguments));
    }

    @Override
    public void warn(String message, Throwable thrown) {
        tell(false, message, thrown);
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }

    @Override
    public void error(String message) {
        tell(true, message, null);
    }

    @Override
    public void error(String format, Object argument) {
        tell(true, MessageFormatter.format(format, argument));
    }

    @Override
    public void error(String format, Object first, Object second) {
        tell(true, MessageFormatter.format(format, first, second));
    }

    @Override
    public void error(String format, Object... arguments) {
        tell(true, MessageFormatter.arrayFormat(format, arguments));
    }

    @Override
    public void error(String message, Throwable thrown) {
        tell(true, message, thrown);
    }
}
