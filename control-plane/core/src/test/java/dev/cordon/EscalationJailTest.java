package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.config.Config;
import dev.cordon.config.VmSettings;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.Stdin;
import dev.cordon.job.Trust;
import dev.cordon.result.Escalation;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.result.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of an escalation that happens in a real jail: what trips it, and what is told where there is no machine to go to. */
@Tag("jail")
class EscalationJailTest {
    private static final int BURST = 7;

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
            burst = %d
            """.formatted(BURST));
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
        assertThat(result.applied().isolation()).isEqualTo(Isolation.JAIL);
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
            "names": ["sync"],
                  "action": "SCMP_ACT_ERRNO",
                  "errnoRet": 1\
            """;
        assertThat(standard).contains(refused);
        return standard.replace(refused, """
            "names": ["sync"],
            "action": "SCMP_ACT_KILL_PROCESS\"\
            """);
    }

    private static final String CONNECT = """
        import socket, sys
        def attempt(what):
            try:
                what()
            except OSError as e:
                print(e.errno, flush=True)
        """;

    private static Job reaching(String how) {
        return Job.python(CONNECT + "attempt(lambda: " + how + ")\n" + "print('went on')\n");
    }

    private void reachesOut(String how) {
        Result result = cordon.run(stranger(reaching(how)));
        assertThat(result.outcome()).as(how).isEqualTo(new Outcome.Violated("network", Outcome.Breach.NETWORK));
        Escalation escalation = Objects.requireNonNull(result.escalation());
        assertThat(escalation.cause()).isEqualTo(Escalation.Cause.NETWORK);
        assertThat(escalation.reason()).isEqualTo("attempt to reach the network");
        assertThat(result.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.syscall()).isEqualTo(Violation.NETWORK);
            assertThat(violation.killed()).isTrue();
        });
        Result control = cordon.run(reaching(how).timeout(Duration.ofMinutes(1)));
        assertThat(control.succeeded()).as("not watched").isTrue();
        assertThat(control.violations()).isEmpty();
        assertThat(control.stdoutText()).contains("went on");
    }

    @Test
    void anAttemptToReachTheNetworkStopsIt() {
        reachesOut("socket.create_connection(('192.0.2.7', 80))");
        reachesOut("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('198.51.100.1', 9))");
        reachesOut("socket.socket(socket.AF_INET6).connect(('2001:db8::1', 80))");
        reachesOut("socket.getaddrinfo('example.com', 80)");
    }

    @Test
    void anAttemptStopsItWhileItRuns() {
        String waits =
                CONNECT + "attempt(lambda: socket.create_connection(('192.0.2.7', 80)))\nimport time; time.sleep(50)\n";
        Result result = cordon.run(stranger(Job.python(waits)));
        assertThat(result.outcome()).isEqualTo(new Outcome.Violated("network", Outcome.Breach.NETWORK));
        assertThat(result.usage().wall()).isLessThan(Duration.ofSeconds(40));
    }

    @Test
    void theLoopbackIsItsOwn() {
        Result result = cordon.run(stranger(Job.python("""
            import socket
            listener = socket.create_server(("127.0.0.1", 0))
            socket.create_connection(listener.getsockname()).sendall(b"x")
            print(listener.accept()[0].recv(1), socket.getaddrinfo("localhost", 80)[0][4][0])
            try:
                socket.create_connection(("127.0.0.1", 1))
            except ConnectionRefusedError:
                print("refused")
            """)));
        assertThat(result.stdoutText()).isEqualTo("b'x' 127.0.0.1\nrefused\n");
        assertThat(result.succeeded()).isTrue();
        assertThat(result.escalation()).isNull();
    }

    private static Job chroots(int times) {
        return Job.python("""
            import os
            for i in range(%d):
                try:
                    os.chroot("/")
                except PermissionError:
                    pass
            print("went on")
            """.formatted(times));
    }

    @Test
    void aBurstOfRefusedCallsStopsIt() {
        Result result = cordon.run(stranger(chroots(BURST)));
        assertThat(result.outcome()).isEqualTo(new Outcome.Violated("chroot", Outcome.Breach.BURST));
        assertThat(result.stdoutText()).isEmpty();
        Escalation escalation = Objects.requireNonNull(result.escalation());
        assertThat(escalation.cause()).isEqualTo(Escalation.Cause.BURST);
        assertThat(escalation.reason()).startsWith("burst of refused system calls, the last of them chroot by python");
        Result fewer = cordon.run(stranger(chroots(BURST - 1)));
        assertThat(fewer.stdoutText()).isEqualTo("went on\n");
        assertThat(fewer.succeeded()).isTrue();
        assertThat(fewer.escalation()).isNull();
        Result control = cordon.run(chroots(10 * BURST).timeout(Duration.ofMinutes(1)));
        assertThat(control.succeeded()).as("not watched").isTrue();
    }

    /** Their filter is stacked upon init's: what is counted there is still refused, and filters of a job's own are. */
    @Test
    void theSameHoldsUnderAProfileWithTwoFilters() {
        Result burst = cordon.run(stranger(chroots(BURST)).profile("strict"));
        assertThat(burst.outcome()).isEqualTo(new Outcome.Violated("chroot", Outcome.Breach.BURST));
        Job socket = Job.python(CONNECT + "attempt(lambda: socket.socket())\n").profile("strict");
        assertThat(cordon.run(stranger(socket)).stdoutText()).isEqualTo("1\n");
        Job filter = Job.python("""
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            print(libc.syscall(317, 1, 0, 0), ctypes.get_errno(), libc.prctl(22, 2, 0), ctypes.get_errno())
            """);
        for (String profile : List.of("default", "strict", "jvm")) {
            assertThat(cordon.run(stranger(filter.profile(profile))).stdoutText())
                    .as(profile)
                    .isEqualTo("-1 1 -1 1\n");
        }
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
