package dev.cordon.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.result.OutputListener.Source;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobEventLogTest {
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void smallPiecesAreGatheredUntilSomebodyReads() throws Exception {
        JobEventLog log = new JobEventLog(1 << 20);
        for (int i = 0; i < 1_000; i++) {
            log.output(Source.STDOUT, utf8("x"));
        }
        log.output(Source.STDERR, utf8("e"));
        log.end("exit", JsonTree.object());
        List<JobEvent> events = log.after(0, Duration.ZERO);
        assertThat(events).extracting(JobEvent::type).containsExactly("stdout", "stderr", "exit");
        assertThat(events.getFirst().data().path("text").asString()).hasSize(1_000);
        assertThat(log.endedAt(3)).isTrue();
        assertThat(log.after(2, Duration.ZERO)).hasSize(1);
    }

    @Test
    void aJobStartsOnceAndBeforeItsOutput() throws Exception {
        JobEventLog log = new JobEventLog(1 << 20);
        log.started("job");
        log.output(Source.STDOUT, utf8("x"));
        log.started("job");
        log.end("exit", JsonTree.object());
        assertThat(log.after(0, Duration.ZERO)).extracting(JobEvent::type).containsExactly("started", "stdout", "exit");
    }

    @Test
    void aCharacterThatIsCutInTwoStaysWhole() throws Exception {
        JobEventLog log = new JobEventLog(1 << 20);
        byte[] euro = utf8("a\u20ac");
        log.output(Source.STDOUT, new byte[] {euro[0], euro[1]});
        assertThat(log.after(0, Duration.ZERO).getFirst().data().path("text").asString())
                .isEqualTo("a");
        log.output(Source.STDOUT, new byte[] {euro[2], euro[3]});
        assertThat(log.after(1, Duration.ZERO).getFirst().data().path("text").asString())
                .isEqualTo("\u20ac");
        log.output(Source.STDOUT, new byte[] {(byte) 0xE2});
        log.end("exit", JsonTree.object());
        assertThat(log.after(2, Duration.ZERO).getFirst().data().path("base64").asString())
                .isEqualTo("4g==");
    }

    @Test
    void whatDoesNotFitIsCounted() throws Exception {
        JobEventLog log = new JobEventLog(1_000);
        log.output(Source.STDOUT, new byte[900]);
        log.output(Source.STDOUT, new byte[900]);
        log.end("exit", JsonTree.object());
        assertThat(log.after(0, Duration.ZERO)
                        .getLast()
                        .data()
                        .path("dropped_bytes")
                        .asInt())
                .isEqualTo(900);
    }

    @Test
    void whatIsMadeAnewIsSentWhole() {
        assertThat(new JobEventLog(1_000).resume(20)).isEqualTo(20);
        assertThat(JobEventLog.replayed(1_000).resume(20)).isZero();
    }
}
