package dev.cairn.patience;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long the tests wait for what they expect, where they do not say: long enough for a machine that is busy with much else, since a test that
 * waits for what comes anyway is not slower for it. JUnit finds this by the service file beside it.
 */
public final class Patience implements LauncherSessionListener {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
