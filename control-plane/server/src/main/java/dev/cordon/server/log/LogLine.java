package dev.cordon.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import dev.cordon.server.job.JsonTree;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One event, one line, whatever the texts in it hold: control characters and line separators are escaped, long texts cut. What jobs write
 * is never logged; what clients send can be part of a message.
 */
final class LogLine extends LayoutBase<ILoggingEvent> {
    private static final int LONGEST = 4_000;
    private static final int FRAMES = 30;

    private final Style style;

    /** How a line looks. */
    enum Style {
        /** For people. */
        TEXT,
        /** For people, through the journal: a priority comes first, sd-daemon(3). */
        JOURNAL,
        /** For programs. */
        JSON
    }

    LogLine(Style style) {
        this.style = style;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        return switch (style) {
            case JSON -> json(event);
            case TEXT -> Instant.ofEpochMilli(event.getTimeStamp()) + " " + text(event);
            case JOURNAL -> "<" + priority(event.getLevel()) + ">" + text(event);
        };
    }

    private static String text(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(event.getLevel().toString()).append(' ');
        for (Map.Entry<String, String> entry : event.getMDCPropertyMap().entrySet()) {
            line.append(entry.getKey())
                    .append('=')
                    .append(escaped(entry.getValue()))
                    .append(' ');
        }
        line.append(escaped(event.getFormattedMessage()));
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.append(" | ")
                    .append(thrown.getClassName())
                    .append(": ")
                    .append(escaped(String.valueOf(thrown.getMessage())));
            int frames = 0;
            for (StackTraceElementProxy frame : thrown.getStackTraceElementProxyArray()) {
                if (frames++ < FRAMES) {
                    line.append(" | ").append(frame.getSTEAsString());
                }
            }
        }
        return line.append('\n').toString();
    }

    private static String json(ILoggingEvent event) {
        ObjectNode line = JsonTree.object()
                .put("ts", Instant.ofEpochMilli(event.getTimeStamp()).toString())
                .put("level", event.getLevel().toString())
                .put("logger", event.getLoggerName());
        event.getMDCPropertyMap().forEach((name, value) -> line.put(name, escaped(value)));
        line.put("message", escaped(event.getFormattedMessage()));
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.put("error", thrown.getClassName() + ": " + escaped(String.valueOf(thrown.getMessage())));
            ArrayNode frames = line.putArray("stack");
            for (StackTraceElementProxy frame : thrown.getStackTraceElementProxyArray()) {
                if (frames.size() < FRAMES) {
                    frames.add(frame.getSTEAsString());
                }
            }
        }
        return JsonTree.text(line) + "\n";
    }

    /** The numbers of syslog(3). */
    private static int priority(Level level) {
        return level.isGreaterOrEqual(Level.ERROR)
                ? 3
                : level.isGreaterOrEqual(Level.WARN) ? 4 : level.isGreaterOrEqual(Level.INFO) ? 6 : 7;
    }

    static String escaped(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(c -> {
            switch (Character.getType(c)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.SURROGATE,
                        Character.UNASSIGNED,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR ->
                    shown.append("\\u{").append(Integer.toHexString(c)).append('}');
                default -> shown.appendCodePoint(c);
            }
        });
        return text.length() > LONGEST ? shown + "..." : shown.toString();
    }
}
