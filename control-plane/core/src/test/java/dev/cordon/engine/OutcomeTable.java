package dev.cordon.engine;

import static dev.cordon.engine.Sandboxes.payload;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.WeakenedCordon;
import dev.cordon.bindings.wire.SetupStage;
import dev.cordon.bindings.wire.plan.FaultAction;
import dev.cordon.bindings.wire.plan.InjectedFault;
import dev.cordon.cgroup.WholeJobLimit;
import dev.cordon.config.Config;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Result;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The rows of the table of outcomes, each produced by a payload whose end is known. */
final class OutcomeTable {
    private static final ByteSize SMALL = ByteSize.mib(64);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<OutcomeRow> rows = new ArrayList<>();
    private final boolean memory = Sandboxes.holds(WholeJobLimit.MEMORY);
    private final boolean pids = Sandboxes.holds(WholeJobLimit.PIDS);

    private OutcomeTable() {
        ends();
        times();
        memory();
        output();
        disk();
        processes();
        violations();
        refusals();
        failures();
    }

    static List<OutcomeRow> rows() {
        return List.copyOf(new OutcomeTable().rows);
    }

    private void ends() {
        row("Exited", "takes 32 of 64 MiB", "ok 0", small("anonymous", "32"));
        row("Exited", "sh -c 'exit 7'", "nonzero_exit 7", Job.argv("sh", "-c", "exit 7"));
        row("Signaled", "segmentation fault", "signaled 139", payload("kill-self", "11"));
        row("Signaled", "kills itself with SIGKILL", "signaled 137", payload("kill-self", "9"));
        row(
                "Signaled",
                "gets SIGTERM from outside",
                "signaled 143",
                cordon -> onceReady(cordon, job -> job.signal(15)));
        row("Cancelled", "waits, is cancelled", "canceled 130", cordon -> onceReady(cordon, RunningJob::cancel));
        row("not there", "nosuchprogram", "not_found 127", Job.argv("nosuchprogram"));
        row("not executable", "/etc/passwd", "not_executable 126", Job.argv("/etc/passwd"));
    }

    private void times() {
        Duration half = Duration.ofMillis(500);
        row(
                "TimedOut",
                "waits past 500 ms",
                "timed_out(wall) 124",
                payload("wait").timeout(half));
        row(
                "TimedOut",
                "stdin that never comes",
                "timed_out(wall) 124",
                payload("stdin").stdin(new Stalled()).timeout(half));
        row(
                "TimedOut",
                "burns past 1 s of CPU",
                "timed_out(cpu) 124",
                payload("burn", "60000").cpuTime(Duration.ofSeconds(1)).timeout(LONG));
    }

    private void memory() {
        for (String shape : List.of("anonymous", "shared", "tmpfs", "disk", "cache")) {
            limited(
                    memory,
                    Limit.MEMORY,
                    "OutOfMemory",
                    "256 MiB " + shape + " at 64 MiB",
                    "out_of_memory 137",
                    small(shape, "256"));
        }
        // The kernel refuses the buffers or kills for them, depending on where it ran out: what holds is the limit.
        rows.add(new OutcomeRow(
                "(memory)",
                "256 MiB of pipe buffers at 64 MiB",
                memory ? "peak <= 64 MiB" : "not enforced: memory",
                cordon -> cordon.run(small("pipes", "4000").openFiles(16384)),
                result -> memory ? peak(result) : OutcomeRow.notEnforced(result, Limit.MEMORY)));
    }

    private static String peak(Result result) {
        ByteSize peak = result.usage().peakMemory();
        return peak != null && peak.compareTo(SMALL) <= 0 ? "peak <= 64 MiB" : "peak " + peak;
    }

    private void output() {
        Job both = payload("flood-both", "64").output(ByteSize.kib(64)).timeout(LONG);
        row("(output)", "64 MiB to both streams at 64 KiB", "ok 0, kept 65536+65536 of 67108864+67108864", both);
        row(
                "(output)",
                "64 KiB in single bytes",
                "ok 0",
                payload("flood-bytes", "64").timeout(LONG));
        Job line = payload("flood-line", "100").output(ByteSize.kib(64)).timeout(LONG);
        row("(output)", "100 MiB without a newline", "ok 0, kept 65536+0 of 104857600+0", line);
        rows.add(new OutcomeRow(
                "OutputLimit",
                "the same, killed for it",
                "output_limit 137",
                cordon -> cordon.run(line.onOutputLimit(OnOutputLimit.KILL)),
                OutcomeRow::ending));
    }

    private void disk() {
        ByteSize size = ByteSize.mib(16);
        row(
                "DiskLimit",
                "64 MiB at 16 MiB",
                "disk_limit 4",
                payload("disk", "64").disk(size).fileSize(SMALL));
        // The space is free again once the program has ended, so the end alone does not tell.
        rows.add(new OutcomeRow(
                "(disk)",
                "64 MiB deleted but open at 16",
                "stopped at 16 MiB: No space left on device",
                cordon -> cordon.run(payload("deleted", "64").disk(size)),
                result -> result.stdoutText().strip()));
        row(
                "DiskLimit",
                "100000 files at 100",
                "disk_limit 4",
                payload("inodes", "100000").files(100));
        row(
                "DiskLimit",
                "64 MiB in a file at 2 MiB",
                "disk_limit 153",
                payload("disk", "64").fileSize(ByteSize.mib(2)));
    }

    private void processes() {
        limited(
                pids,
                Limit.PIDS,
                "PidsLimit",
                "fork bomb at 64",
                "pids_limit 0",
                payload("forkbomb", "3").pids(64).timeout(LONG));
        limited(
                pids,
                Limit.PIDS,
                "PidsLimit",
                "thread bomb at 32",
                "pids_limit 4",
                payload("threadbomb", "1000").pids(32));
    }

    private void violations() {
        row("Violation", "ptrace, goes on", "nonzero_exit 6, refused ptrace", payload("ptrace"));
        row(
                "Violation",
                "ptrace, killed for it",
                "policy_violation(ptrace) 159, refused ptrace",
                payload("ptrace").onViolation(OnViolation.KILL));
    }

    private void refusals() {
        row("Denied", "2 GiB above a ceiling of 1 GiB", "denied 122", cordon -> {
            try (Cordon modest =
                    Cordon.open(ceiling(Limit.MEMORY, ByteSize.gib(1).bytes()))) {
                return modest.run(Job.argv("true").memory(ByteSize.gib(2)));
            }
        });
        row(
                "InvalidJob",
                "a mount of what is not there",
                "invalid 121",
                Job.argv("true").readOnly(Path.of("/nowhere/at/all"), "/data"));
    }

    private static Config ceiling(Limit limit, long most) {
        Config config = Config.load();
        Map<Limit, Long> ceilings = new EnumMap<>(Limit.class);
        ceilings.putAll(config.ceilings());
        ceilings.put(limit, most);
        return new Config(
                config.defaults(),
                ceilings,
                config.ids(),
                config.stateDirectory(),
                config.runDirectory(),
                config.settings());
    }

    private void failures() {
        row(
                "HostUnsupported",
                "isolation that is not there",
                "unsupported 123",
                Job.argv("true").isolation(Isolation.VM));
        row("SetupFailed", "a mount that fails", "sandbox_error(mounts EIO) 125", cordon -> {
            InjectedFault fault = new InjectedFault(SetupStage.MOUNTS, FaultAction.ERROR);
            try (Cordon faulty = WeakenedCordon.without(fault)) {
                return faulty.run(Job.argv("true"));
            }
        });
    }

    private void row(String outcome, String payload, String expected, Job job) {
        row(outcome, payload, expected, cordon -> cordon.run(job));
    }

    private void row(String outcome, String payload, String expected, OutcomeRow.Run run) {
        rows.add(new OutcomeRow(outcome, payload, expected, run, OutcomeRow::shown));
    }

    /** Where the kernel does not hold the limit for whole jobs, the truth is that the result says so. */
    private void limited(boolean held, Limit limit, String outcome, String payload, String expected, Job job) {
        if (held) {
            row(outcome, payload, expected, job);
        } else {
            rows.add(new OutcomeRow(
                    outcome,
                    payload,
                    "not enforced: " + limit.key(),
                    cordon -> cordon.run(job),
                    result -> OutcomeRow.notEnforced(result, limit)));
        }
    }

    private static Job small(String... arguments) {
        return payload(arguments).memory(SMALL).disk(ByteSize.mib(512)).timeout(LONG);
    }

    private static Result onceReady(Cordon cordon, Consumer<RunningJob> then) throws Exception {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        try (RunningJob job = cordon.start(payload("wait"), (source, bytes) -> ready.complete(null))) {
            ready.get();
            then.accept(job);
            return job.await();
        }
    }

    /** Input that never comes, and never ends. */
    private static final class Stalled extends InputStream {
        private final CompletableFuture<Integer> never = new CompletableFuture<>();

        @Override
        public int read() {
            return never.join();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return read();
        }
    }

    /** Prints the table of this machine; ends with 1 when a row is wrong. */
    public static void main(String[] arguments) throws Exception {
        OutcomeRow.printHeader();
        boolean right = true;
        try (Cordon cordon = Cordon.open()) {
            for (OutcomeRow row : rows()) {
                right &= row.print(cordon);
            }
        }
        System.out.println(right ? "every row is right" : "WRONG rows above");
        System.exit(right ? 0 : 1);
    }
}
