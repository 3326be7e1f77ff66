package dev.cordon.cli.command.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cordon.cli.TestStdio;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.QuickParser;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.job.Command.Argv;
import dev.cordon.job.Command.Code;
import dev.cordon.job.Command.Script;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Language;
import dev.cordon.job.Mount;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Stdin;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobArgumentsTest {

    @Test
    void aCommandIsPassedOnAsItIs() throws UsageError {
        assertThat(spec("--", "sh", "-c", "echo $HOME", "--json", "").command())
                .isEqualTo(new Argv(List.of("sh", "-c", "echo $HOME", "--json", "")));
    }

    @Test
    void codeComesFromTheOptionAFileOrStandardInput() throws UsageError {
        assertThat(spec("--lang", "python", "-c", "print(1)").command())
                .isEqualTo(new Code(Language.PYTHON, "print(1)"));
        assertThat(spec("-f", "dir/a.js").command()).isEqualTo(new Script(Language.NODE, Path.of("dir/a.js")));
        assertThat(spec("--lang", "bash", "-f", "tool").command())
                .isEqualTo(new Script(Language.BASH, Path.of("tool")));
        assertThat(spec(new TestStdio().input("1 + 1"), "--lang", "java").command())
                .isEqualTo(new Code(Language.JAVA, "1 + 1"));
    }

    @Test
    void everyLimitReachesTheJob() throws UsageError {
        JobSpec spec = spec(
                "--timeout",
                "2m",
                "--cpu-time",
                "500ms",
                "--memory",
                "256M",
                "--cpus",
                "0.5",
                "--pids",
                "7",
                "--disk",
                "64M",
                "--files",
                "99",
                "--file-size",
                "3M",
                "--open-files",
                "55",
                "--address-space",
                "1G",
                "--read-rate",
                "10M",
                "--write-rate",
                "5M",
                "--output",
                "1K",
                "true");
        assertThat(spec.limits().amounts())
                .containsEntry(Limit.TIMEOUT, 120_000_000_000L)
                .containsEntry(Limit.CPU_TIME, 500_000_000L)
                .containsEntry(Limit.MEMORY, 256L << 20)
                .containsEntry(Limit.CPUS, 500_000L)
                .containsEntry(Limit.PIDS, 7L)
                .containsEntry(Limit.DISK, 64L << 20)
                .containsEntry(Limit.FILES, 99L)
                .containsEntry(Limit.FILE_SIZE, 3L << 20)
                .containsEntry(Limit.OPEN_FILES, 55L)
                .containsEntry(Limit.ADDRESS_SPACE, 1L << 30)
                .containsEntry(Limit.READ_RATE, 10L << 20)
                .containsEntry(Limit.WRITE_RATE, 5L << 20)
                .containsEntry(Limit.OUTPUT, 1024L);
        assertThat(spec.asked())
                .containsExactlyInAnyOrderElementsOf(RunOptions.limits().keySet());
    }

    @Test
    void wordsOfDockerMeanWhatTheyMeanThere() throws UsageError {
        JobSpec spec = spec(
                "--rm",
                "--read-only",
                "--cap-drop",
                "ALL",
                "--network",
                "none",
                "-m",
                "256m",
                "--pids-limit",
                "50",
                "-w",
                "/tmp",
                "--name",
                "agent-1",
                "-v",
                "/srv/in:/data/in:ro",
                "--volume",
                "/srv/out:/data/out",
                "-v",
                "/srv/more:/data/more:ro,Z",
                "--ulimit",
                "nofile=100:200",
                "--ulimit",
                "core=0",
                "--ulimit",
                "cpu=7",
                "--tmpfs",
                "/tmp:rw,size=32m",
                "--security-opt",
                "no-new-privileges",
                "--security-opt",
                "apparmor=docker-default",
                "-i",
                "true");
        assertThat(spec.limits().memory()).isEqualTo(ByteSize.mib(256));
        assertThat(spec.limits().pids()).isEqualTo(50);
        assertThat(spec.limits().openFiles()).isEqualTo(100);
        assertThat(spec.limits().cpuTime()).isEqualTo(Duration.ofSeconds(7));
        assertThat(spec.limits().disk()).isEqualTo(ByteSize.mib(32));
        assertThat(spec.io().workdir()).isEqualTo("/tmp");
        assertThat(spec.io().stdin()).isInstanceOf(Stdin.Stream.class);
        assertThat(spec.origin().labels()).containsEntry("name", "agent-1");
        assertThat(spec.containment().macLabel()).isEqualTo("docker-default");
        assertThat(spec.containment().mounts())
                .containsExactly(
                        new Mount(Path.of("/srv/in"), "/data/in", false),
                        new Mount(Path.of("/srv/out"), "/data/out", true),
                        new Mount(Path.of("/srv/more"), "/data/more", false));
    }

    @Test
    void whatWouldLoosenTheJailIsAnError() throws UsageError {
        TestStdio stdio = new TestStdio();
        for (String[] given : new String[][] {
            {"--network", "host", "true"},
            {"--security-opt", "seccomp=unconfined", "true"},
            {"--security-opt", "no-new-privileges:false", "true"},
            {"--security-opt", "label=disable", "true"},
            {"-v", "/srv/in:/data:ro,nocopy", "true"},
            {"-v", "/srv/in:/data:ro,rw", "true"},
            {"-v", "/srv/in:/data:", "true"},
            {"--tmpfs", "/tmp:size=16m", "--tmpfs", "/workspace:size=1g", "true"},
            {"--disk", "16M", "--tmpfs", "/tmp:size=1g", "true"},
            {"--tmpfs", "/run", "true"},
            {"--tmpfs", "/tmp:noexec", "true"},
            {"--ulimit", "memlock=1", "true"},
            {"--ulimit", "nofile=unlimited", "true"},
            {"--pids", "10", "--ulimit", "nproc=5000", "true"},
            {"--ulimit", "nofile=10", "--ulimit", "nofile=20", "true"},
            {"--cpu-time", "1m", "--ulimit", "cpu=61", "true"}
        }) {
            ParsedArguments words =
                    new QuickParser(RunCommand.spec()).parse(given, 0).orElseThrow();
            JobArguments arguments = new JobArguments(words, stdio.stdio());
            arguments.job();
            assertThat(arguments.errors()).as(String.join(" ", given)).hasSize(1);
        }
    }

    @Test
    void twoAmountsOfOneLimitAreNamedBoth() throws UsageError {
        String[] given = {"--pids", "10", "--ulimit", "nproc=5000", "--disk", "16M", "--tmpfs", "/tmp:size=1g", "true"};
        ParsedArguments words =
                new QuickParser(RunCommand.spec()).parse(given, 0).orElseThrow();
        JobArguments arguments = new JobArguments(words, new TestStdio().stdio());
        arguments.job();
        assertThat(arguments.errors())
                .extracting(error -> error.pointer() + " " + error.value())
                .containsExactly(
                        "/limits/pids --pids 10 and --ulimit nproc=5000",
                        "/limits/disk --disk 16M and --tmpfs /tmp:size=1g");
    }

    @Test
    void oneAmountMayBeWrittenInTwoWays() throws UsageError {
        JobSpec spec =
                spec("--disk", "64M", "--tmpfs", "/tmp:size=65536K", "--cpu-time", "1m", "--ulimit", "cpu=60", "true");
        assertThat(spec.limits().disk()).isEqualTo(ByteSize.mib(64));
        assertThat(spec.limits().cpuTime()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void variablesAreSetOrPassedOn() throws UsageError {
        TestStdio stdio = new TestStdio().environment(Map.of("TOKEN", "secret", "OTHER", "x"));
        assertThat(spec(stdio, "-e", "A=1=2", "-e", "TOKEN", "-e", "EMPTY=", "env")
                        .io()
                        .environment())
                .containsExactly(Map.entry("A", "1=2"), Map.entry("TOKEN", "secret"), Map.entry("EMPTY", ""));
    }

    @Test
    void mountsKeepTheirOrderAndColonsInNames() throws UsageError {
        JobSpec spec = spec("--rw", "/o:/workspace/out", "--ro", "/a:b:/in/x", "ls");
        assertThat(spec.containment().mounts())
                .extracting(mount -> mount.source() + " " + mount.target() + " " + mount.writable())
                .containsExactly("/a:b /in/x false", "/o /workspace/out true");
    }

    @Test
    void containmentIsTakenOver() throws UsageError {
        JobSpec spec = spec(
                "--isolation",
                "process",
                "--profile",
                "strict",
                "--on-violation",
                "kill",
                "--on-output-limit",
                "kill",
                "--strict-limits",
                "--workdir",
                "/tmp",
                "--stdin",
                "in.txt",
                "true");
        assertThat(spec.containment().isolation()).isEqualTo(Isolation.PROCESS);
        assertThat(spec.containment().profile()).isEqualTo(new ProfileRef.Named("strict"));
        assertThat(spec.reactions().onViolation()).isEqualTo(OnViolation.KILL);
        assertThat(spec.reactions().onOutputLimit()).isEqualTo(OnOutputLimit.KILL);
        assertThat(spec.containment().strict()).isTrue();
        assertThat(spec.io().workdir()).isEqualTo("/tmp");
        assertThat(spec.io().stdin()).isEqualTo(new Stdin.FromFile(Path.of("in.txt")));
        assertThat(spec("--profile", "./p.json", "true").containment().profile())
                .isEqualTo(new ProfileRef.FromFile(Path.of("./p.json")));
        assertThat(spec("--stdin", "-", "cat").io().stdin()).isInstanceOf(Stdin.Stream.class);
        assertThat(spec("cat").io().stdin()).isEqualTo(new Stdin.Empty());
    }

    @ParameterizedTest
    @CsvSource({
        "--memory, -1, /limits/memory",
        "--timeout, abc, /limits/timeout",
        "--timeout, 0s, /limits/timeout",
        "--cpus, NaN, /limits/cpus",
        "--pids, 1.5, /limits/pids",
        "--disk, 5MB, /limits/disk",
        "--output, '', /limits/output",
        "--isolation, container, /isolation",
        "--on-violation, ignore, /on_violation",
        "--ro, /data, /mounts/0",
        "-e, NOT_SET_ANYWHERE, /env/NOT_SET_ANYWHERE",
        "--workdir, relative, /workdir",
    })
    void aWrongValueIsAnInvalidJobThatNamesFieldAndValue(String option, String value, String field) {
        InvalidJob invalid = catchThrowableOfType(InvalidJob.class, () -> spec(option, value, "true"));
        assertThat(invalid.errors()).extracting(FieldError::pointer).containsExactly(field);
        assertThat(invalid.errors().getFirst().value()).isEqualTo(value);
        assertThat(invalid.errors().getFirst().remedy()).isNotEmpty();
    }

    @Test
    void allWrongValuesAreReportedTogether() {
        InvalidJob invalid = catchThrowableOfType(
                InvalidJob.class,
                () -> spec("--isolation", "x", "--memory", "-1", "--timeout", "soon", "--ro", "y", "true"));
        assertThat(invalid.errors())
                .extracting(FieldError::pointer)
                .containsExactlyInAnyOrder("/isolation", "/mounts/0", "/limits/memory", "/limits/timeout");
    }

    @Test
    void linesThatMakeNoSenseAreUsageErrors() {
        usageError("nothing to run");
        usageError("code takes no arguments", "--lang", "python", "-c", "1", "--", "x");
        usageError("leave one out", "--lang", "python", "-c", "1", "-f", "a.py");
        usageError("-c needs --lang", "-c", "1");
        assertThatThrownBy(() -> spec(new TestStdio().terminal(), "--lang", "python"))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("--lang needs code");
    }

    private static void usageError(String message, String... words) {
        assertThatThrownBy(() -> spec(words)).isInstanceOf(UsageError.class).hasMessageContaining(message);
    }

    private static JobSpec spec(String... words) throws UsageError {
        return spec(new TestStdio(), words);
    }

    private static JobSpec spec(TestStdio stdio, String... words) throws UsageError {
        ParsedArguments arguments =
                new QuickParser(RunCommand.spec()).parse(words, 0).orElseThrow();
        JobArguments given = new JobArguments(arguments, stdio.stdio());
        Job job = given.job();
        List<FieldError> errors = new ArrayList<>(given.errors());
        try {
            JobSpec spec = job.validate();
            if (errors.isEmpty()) {
                return spec;
            }
        } catch (InvalidJob invalid) {
            errors.addAll(invalid.errors());
        }
        throw new InvalidJob(errors);
    }
}
