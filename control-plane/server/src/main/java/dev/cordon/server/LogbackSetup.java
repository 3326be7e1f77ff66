package dev.cordon.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the log to standard error: plain, for the journal (JOURNAL_STREAM) or as JSON (CORDON_LOG=json). */
final class LogbackSetup {
    private LogbackSetup() {}

    static void start(Map<String, String> environment) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return;
        }
        LogLine.Style style = "json".equals(environment.get("CORDON_LOG"))
                ? LogLine.Style.JSON
                : environment.containsKey("JOURNAL_STREAM") ? LogLine.Style.JOURNAL : LogLine.Style.TEXT;
        context.reset();
        LogLine layout = new LogLine(style);
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout(layout);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(Level.WARN);
        context.getLogger("dev.cordon").setLevel(Level.INFO);
    }
}
