package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.api.Escalation;
import dev.cordon.api.Isolation;
import dev.cordon.api.Job;
import dev.cordon.api.Outcome;
import dev.cordon.api.Result;
import dev.cordon.api.Stdin;
import dev.cordon.api.Trust;
import dev.cordon.config.Config;
import dev.cordon.config.VmSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of an escalation that happens in a real jail: what trips it, and what is told where there is no machine to go to. */
@Tag("jail")
class EscalationJailTest {
    @TempDir
    private Path folder;

    private Cordon cordon;

    @BeforeEach
    void open() throws IOException {
        Config config = PolicedCordon.here(folder, """
            version = 1
            [[rule]]
            name = "strangers"
            when = { trust = "untrusted" }
            escalate = true
            """);
        VmSettings vm = config.vm();
        // Nothing is emulated here: what is tried is how far the jail goes.
        VmSettings none =
                new VmSettings(false, VmSettings.Accel.TCG, vm.bootTimeout(), vm.templates(), vm.pool(), vm.images());
        cordon = Cordon.open(config.withVm(none));
    }

    @AfterEach
    void close() {
        cordon.close();
    }

    private static Job stranger(Job job) {
        return job.trust(Trust.UNTRUSTED).timeout(Duration.ofMinutes(1));
    }

    @Test
    void theFirstWireStopsItAndAHostWithoutAMachineSaysSo() {
        Result result = cordon.run(stranger(Job.shell("unshare --user true; echo went on")));
        assertThat(result.outcome()).isEqualTo(new Outcome.Violated("unshare"));
        assertThat(result.stdoutText()).isEmpty();
        assertThat(result.isolation()).isEqualTo(Isolation.JAIL);
        assertThat(Objects.requireNonNull(result.escalation()).cause()).isEqualTo(Escalation.Cause.TRIPWIRE);
        assertThat(Objects.requireNonNull(result.escalation()).reason()).isEqualTo("system call unshare by unshare");
        assertThat(Objects.requireNonNull(result.escalation()).refusal()).contains("vm");
    }

    @Test
    void aFilterThatKillsIsTold() throws IOException {
        Path profile = Files.writeString(folder.resolve("deadly.json"), deadly());
        Result result = cordon.run(stranger(Job.argv("sync").profile(profile)));
        assertThat(result.outcome()).isEqualTo(new Outcome.Signaled(31));
        assertThat(Objects.requireNonNull(result.escalation()).cause()).isEqualTo(Escalation.Cause.SIGSYS);
    }

    /** Cordon's own profile, but that sync(2) kills. */
    private static String deadly() throws IOException {
        String standard =
                Files.readString(Path.of(System.getProperty("cordon.root"), "seccomp-profiles", "default.json"));
        String refused = """
            "names": ["sync", "syncfs"],
                  "action": "SCMP_ACT_ERRNO",
                  "errnoRet": 1\
            """;
        assertThat(standard).contains(refused);
        return standard.replace(refused, """
            "names": ["sync", "syncfs"],
            "action": "SCMP_ACT_KILL_PROCESS\"\
            """);
    }

    @Test
    void inputThatWasFedIsNotGivenTwice() throws Exception {
        try (RunningJob job =
                cordon.start(stranger(Job.shell("cat; unshare --user true")).stdin(Stdin.fed()))) {
            job.stdin().write('x');
            job.stdin().close();
            Result result = job.await();
            assertThat(result.stdoutText()).isEqualTo("x");
            assertThat(result.outcome()).isEqualTo(new Outcome.Violated("unshare"));
            assertThat(Objects.requireNonNull(result.escalation()).refusal()).contains("fed by the caller");
        }
    }
}
