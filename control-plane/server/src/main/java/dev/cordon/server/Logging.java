package dev.cordon.server;

import java.util.Map;
import org.slf4j.LoggerFactory;

/** Sets the log up where Logback is behind it; an embedder's choice of another logger stands. */
final class Logging {
    private Logging() {}

    static void start(Map<String, String> environment) {
        if (LoggerFactory.getILoggerFactory().getClass().getName().startsWith("ch.qos.logback.")) {
            LogbackSetup.start(environment);
        }
    }
}
