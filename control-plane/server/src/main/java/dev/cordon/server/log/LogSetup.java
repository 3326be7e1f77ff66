package dev.cordon.server.log;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Sets the log up where Logback is behind it; an embedder's choice of another logger stands. */
public final class LogSetup {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static volatile @Nullable LogWriter writer;

    private LogSetup() {}

    public static void start(Map<String, String> environment) {
        if (LoggerFactory.getILoggerFactory().getClass().getName().startsWith("ch.qos.logback.")) {
            writer = LogbackSetup.start(environment);
        }
    }

    /** How many lines were dropped, because nobody read the log. */
    public static long dropped() {
        LogWriter started = writer;
        return started == null ? 0 : started.dropped();
    }

    /** Before the process ends: what was logged is written, when somebody reads it. */
    public static void drain() {
        LogWriter started = writer;
        if (started != null) {
            started.drain(PATIENCE);
        }
    }
}
