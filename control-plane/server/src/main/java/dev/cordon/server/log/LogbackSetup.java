package dev.cordon.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the log to standard error: plain, for the journal (JOURNAL_STREAM) or as JSON (CORDON_LOG=json). */
final class LogbackSetup {
    private static final int MOST_WAITING = 2_000;

    private LogbackSetup() {}

    static @Nullable LogWriter start(Map<String, String> environment) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return null;
        }
        LogLine.Style style = "json".equals(environment.get("CORDON_LOG"))
                ? LogLine.Style.JSON
                : environment.containsKey("JOURNAL_STREAM") ? LogLine.Style.JOURNAL : LogLine.Style.TEXT;
        context.reset();
        LogLine layout = new LogLine(style);
        layout.setContext(context);
        layout.start();
        LogWriter appender = new LogWriter(layout, new FileOutputStream(FileDescriptor.err), MOST_WAITING);
        appender.setContext(context);
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(Level.WARN);
        context.getLogger("dev.cordon").setLevel(Level.INFO);
        return appender;
    }
}
