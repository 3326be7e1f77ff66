package dev.cordon.engine.vm;

import static dev.cordon.engine.vm.ContractCase.run;
import static dev.cordon.engine.vm.ContractCase.shell;
import static dev.cordon.engine.vm.ContractCase.shown;
import static dev.cordon.engine.vm.ContractCase.sized;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Result;
import dev.cordon.result.Violation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Jobs that are one command. */
final class ContractJobs {
    private static final int SIGUSR1 = 10;

    private ContractJobs() {}

    static List<ContractCase> ends() {
        return List.of(
                new ContractCase("exit code", shell("exit 7")),
                new ContractCase("signal", shell("kill -9 $$")),
                new ContractCase("streams", shell("echo out; echo err >&2")),
                new ContractCase(
                        "environment",
                        run(Job.shell("echo $COLOUR $HOME $TMPDIR; pwd").env("COLOUR", "blue"))),
                new ContractCase("ids and host name", shell("id -u; id -g; uname -n")),
                new ContractCase("standard input", run(Job.argv("cat").stdin("six times seven"))),
                new ContractCase(
                        "files in",
                        run(Job.shell("cat a/b.txt; ls -l a/b.txt | cut -c1-10")
                                .put("a/b.txt", "content\n".getBytes(StandardCharsets.UTF_8)))),
                new ContractCase("code", run(Job.python("print(6*7)"))),
                new ContractCase("command not found", run(Job.argv("no-such-program"))),
                new ContractCase("not executable", run(Job.argv("/etc/passwd"))),
                new ContractCase("cancelled", ContractJobs::cancelled),
                new ContractCase("signal from outside", ContractJobs::signalled),
                new ContractCase("a terminal", run(Job.shell("stty size; tty").terminal(24, 80))));
    }

    static List<ContractCase> limits() {
        return List.of(
                new ContractCase(
                        "large output",
                        run(Job.shell("head -c 3000000 /dev/zero | tr '\\0' x").output(ByteSize.mib(8)))),
                new ContractCase(
                        "output cut",
                        run(Job.shell("head -c 300000 /dev/zero | tr '\\0' x").output(ByteSize.kib(64)))),
                new ContractCase(
                        "output limit",
                        outcome(Job.argv("yes").output(ByteSize.kib(64)).onOutputLimit(OnOutputLimit.KILL))),
                new ContractCase(
                        "wall clock",
                        (cordon, level) -> cordon.run(
                                        sized(Job.argv("sleep", "60"), level).timeout(Duration.ofSeconds(3)))
                                .outcome()
                                .toString()),
                new ContractCase(
                        "CPU time", outcome(Job.shell("while :; do :; done").cpuTime(Duration.ofSeconds(1)))),
                new ContractCase(
                        "out of memory",
                        (cordon, level) -> cordon.run(sized(
                                        Job.python(
                                                "b = bytearray(100 << 20)\nfor i in range(0, len(b), 4096): b[i] = 1"),
                                        level))
                                .outcome()
                                .label()),
                new ContractCase("too many processes", run(Job.python("""
                    import os, time
                    for i in range(12):
                        try:
                            if os.fork() == 0:
                                time.sleep(600)
                        except OSError:
                            os.write(1, b"refused")
                            os._exit(3)
                    """).pids(6))),
                new ContractCase(
                        "disk full",
                        outcome(Job.shell("head -c 3000000 /dev/zero > big").disk(ByteSize.mib(1)))));
    }

    static List<ContractCase> layers() {
        return List.of(
                new ContractCase("refused call", ContractJobs::refused),
                new ContractCase(
                        "refused call, killed",
                        outcome(Job.shell("unshare -U true; echo went on").onViolation(OnViolation.KILL))),
                new ContractCase("no network", shell("wc -l < /proc/net/dev")),
                new ContractCase("no capability", shell("grep -E 'Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status")),
                new ContractCase(
                        "what can be written", shell("touch /usr/x /etc/x /x 2>/dev/null || echo no; touch /tmp/x x")),
                new ContractCase(
                        "one image for both",
                        run(Job.shell("sha256sum /usr/bin/python3 /usr/bin/bash /etc/os-release; ls /")
                                .image("base"))),
                new ContractCase("strict profile", run(Job.shell("echo calm").profile("strict"))),
                new ContractCase(
                        "a directory of the host",
                        "a machine shares no directory with the host; it is refused with the remedy",
                        (cordon, level) -> cordon.run(sized(
                                        Job.argv("ls", "/data").readOnly(Path.of("/usr/share/zoneinfo/Etc"), "/data"),
                                        level))
                                .outcome()
                                .label()),
                new ContractCase(
                        "the kernel",
                        "a machine has its own",
                        (cordon, level) -> shown(cordon.run(sized(Job.argv("uname", "-r"), level)))));
    }

    private static ContractCase.Trial outcome(Job job) {
        return (cordon, level) -> cordon.run(sized(job, level)).outcome().toString();
    }

    private static String refused(Cordon cordon, Isolation level) {
        Result result = cordon.run(sized(Job.shell("unshare -U true 2>/dev/null; echo went on"), level));
        return shown(result)
                + result.violations().stream().map(Violation::syscall).toList();
    }

    private static String cancelled(Cordon cordon, Isolation level) throws InterruptedException {
        try (RunningJob running = cordon.start(sized(Job.argv("sleep", "60"), level))) {
            running.cancel();
            return running.await().outcome().toString();
        }
    }

    private static String signalled(Cordon cordon, Isolation level) throws Exception {
        Job job = Job.shell("trap 'echo caught; exit 4' USR1; echo ready; while :; do sleep 0.1; done");
        try (RunningJob running = cordon.start(sized(job.streaming(), level))) {
            byte[] ready = running.stdout().readNBytes("ready\n".length());
            running.signal(SIGUSR1);
            String after = new String(running.stdout().readAllBytes(), StandardCharsets.UTF_8);
            return new String(ready, StandardCharsets.UTF_8).strip() + ", " + after.strip() + ", "
                    + running.await().outcome();
        }
    }
}
