package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.job.Job;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** when the host itself is out of memory, jobs are what the kernel ends first. */
@Tag("jail")
@Tag("asUser")
final class OomScoreJailTest {
    private static final int SCORE = 500;
    private static final int CAP_SYS_RESOURCE = 24;

    private static int own() throws IOException {
        return Integer.parseInt(
                Files.readString(Path.of("/proc/self/oom_score_adj")).strip());
    }

    private static boolean mayHoldScores() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            String effective = lines.filter(line -> line.startsWith("CapEff:"))
                    .findFirst()
                    .orElseThrow()
                    .substring("CapEff:".length())
                    .strip();
            return (Long.parseUnsignedLong(effective, 16) >> CAP_SYS_RESOURCE & 1) != 0;
        }
    }

    private static List<String> shell(String script) {
        try (Cordon cordon = Cordon.open()) {
            Result result = cordon.run(Job.shell(script));
            return result.stdoutText().lines().toList();
        }
    }

    @Test
    void jobsAreEndedBeforeTheHostsOwn() throws IOException {
        int raised = Math.max(SCORE, own());
        assertThat(shell("cat /proc/self/oom_score_adj")).containsExactly("" + raised);
    }

    /** With the capability on the host the score is also the least that the job can have; without, that of the caller is. */
    @Test
    void aJobCannotMakeItselfSafer() throws IOException {
        int least = mayHoldScores() ? Math.max(SCORE, own()) : own();
        List<String> said = shell("echo " + (least - 1) + " > /proc/self/oom_score_adj 2>/dev/null && echo lowered;"
                + " cat /proc/self/oom_score_adj");
        assertThat(said).containsExactly("" + Math.max(SCORE, own()));
    }
}
