package dev.cordon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.cordon.server.job.JsonTree;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogLineTest {
    private static LoggingEvent event(String message) {
        LoggerContext context = new LoggerContext();
        LoggingEvent event = new LoggingEvent(
                "here",
                context.getLogger("dev.cordon"),
                Level.WARN,
                "{}",
                new IllegalStateException(message),
                new Object[] {message});
        event.setMDCPropertyMap(Map.of("job", "job_1\n"));
        return event;
    }

    @Test
    void whateverATextHoldsItStaysOneLine() {
        String hostile = "a\r\nb\u001b[31m\u2028\u0085${jndi:ldap://x}\u202e" + "x".repeat(1 << 20);
        for (LogLine.Style style : LogLine.Style.values()) {
            String line = new LogLine(style).doLayout(event(hostile));
            assertThat(line).endsWith("\n").hasSizeLessThan(40_000);
            assertThat(line.substring(0, line.length() - 1).chars())
                    .noneMatch(c -> c < ' ' || c == 0x85 || c == 0x2028 || c == 0x202e || c == 0x7f);
        }
        assertThat(new LogLine(LogLine.Style.JOURNAL).doLayout(event("x"))).startsWith("<4>WARN job=job_1\\u{a} x");
        assertThat(JsonTree.read(new LogLine(LogLine.Style.JSON).doLayout(event("x")))
                        .path("job")
                        .asString())
                .isEqualTo("job_1\\u{a}");
    }
}
