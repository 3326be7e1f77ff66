package dev.cordon.seccomp.compile;

import static dev.cordon.seccomp.TestFilters.ALLOW;
import static dev.cordon.seccomp.TestFilters.ENOSYS;
import static dev.cordon.seccomp.TestFilters.EPERM;
import static dev.cordon.seccomp.TestFilters.KILL;
import static dev.cordon.seccomp.TestFilters.NOTIFY;
import static dev.cordon.seccomp.TestFilters.compile;
import static dev.cordon.seccomp.TestFilters.parse;
import static dev.cordon.seccomp.TestFilters.verdict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.seccomp.ArgumentCube;
import dev.cordon.seccomp.ArgumentSamples;
import dev.cordon.seccomp.BpfInterpreter;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.InvalidProfile;
import dev.cordon.seccomp.PlanRule;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.ProfileFloor;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.TestFilters;
import dev.cordon.seccomp.read.Profiles;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a profile: one filter or two, tripwires, no filters of the job's own. */
class ProfileCompilerTest {
    private static final String NARROW = """
        {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 1, "syscalls": [
          {"names": ["read", "write", "execve", "exit_group", "prctl", "mmap", "seccomp"], "action": "SCMP_ACT_ALLOW"},
          {"names": ["ptrace"], "action": "SCMP_ACT_ERRNO", "errnoRet": 3},
          {"names": ["bpf"], "action": "SCMP_ACT_ALLOW"},
          {"names": ["keyctl"], "action": "SCMP_ACT_KILL_PROCESS"},
          {"names": ["kcmp"], "action": "SCMP_ACT_NOTIFY"},
          {"names": ["socket"], "action": "SCMP_ACT_NOTIFY", "args": [{"index": 0, "value": 10, "op": "SCMP_CMP_EQ"}]}]}
        """;

    @ParameterizedTest
    @ValueSource(strings = {"default", "jvm"})
    void aProfileThatLetsInitWorkIsOneFilter(String name) throws ErrnoException {
        assertThat(TestFilters.compiler().compile(Profiles.named(name)).jobFilter())
                .isEmpty();
    }

    @Test
    void aNarrowerOneIsStacked() throws ErrnoException {
        CompiledProfile strict = TestFilters.compiler().compile(Profiles.named("strict"));
        assertThat(strict.jobFilter()).isPresent();
        BpfInterpreter init = new BpfInterpreter(strict.initFilter());
        for (InitNeeds.Need need : InitNeeds.all()) {
            assertThat(init.verdict(need.syscall(), example(need.cube())))
                    .as(SystemCalls.name(need.syscall()).orElseThrow())
                    .isEqualTo(ALLOW);
        }
        assertThat(init.verdict(SystemCalls.require("seccomp")))
                .as("stacks the second filter")
                .isEqualTo(ALLOW);
        assertThat(verdict(strict, "seccomp")).isEqualTo(EPERM);
        assertThat(verdict(strict, "clone", 0x4111)).isEqualTo(EPERM);
        assertThat(verdict(strict, "socket", 1, 1, 0)).isEqualTo(EPERM);
        assertThat(verdict(strict, "execve")).isEqualTo(ALLOW);
    }

    @Test
    void noTripwireIsWhatInitNeeds() {
        Profile usual = Profiles.named("default");
        for (InitNeeds.Need need : InitNeeds.all()) {
            assertThat(usual.policy(need.syscall()).grants(need.cube()))
                    .as(SystemCalls.name(need.syscall()).orElseThrow())
                    .isTrue();
        }
    }

    /** One listener serves a sandbox: a second filter with notifications would answer ENOSYS and silence the first. */
    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void aJobsFilterNeverNotifies(String name) throws ErrnoException {
        CompiledProfile compiled =
                TestFilters.compiler().compile(Profiles.named(name).with(Set.of(PlanRule.HOST_FILES)));
        BpfInterpreter job = new BpfInterpreter(compiled.jobFilter().orElseThrow());
        for (int number = 0; number < 600; number++) {
            assertThat(job.verdict(number)).as("number %d", number).isNotEqualTo(NOTIFY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void forHostFilesOnlyOpenat2AndSyncfsChange(String name) throws ErrnoException {
        Profile profile = Profiles.named(name);
        CompiledProfile with = TestFilters.compiler().compile(profile);
        CompiledProfile without = TestFilters.compiler().compile(profile.with(Set.of(PlanRule.HOST_FILES)));
        int openat2 = SystemCalls.require("openat2");
        Map<Integer, FilterAction> changed = Map.of(openat2, ENOSYS, SystemCalls.require("syncfs"), EPERM);
        assertThat(new BpfInterpreter(without.initFilter()).verdict(openat2))
                .as("for init")
                .isEqualTo(ALLOW);
        assertThat(verdict(without, openat2)).isEqualTo(ENOSYS);
        assertThat(without.hash()).isNotEqualTo(with.hash());
        assertThat(without.tripwires()).isEqualTo(with.tripwires());
        for (int number : SystemCalls.all().values()) {
            for (long[] sample : ArgumentSamples.of(profile.policy(number), number)) {
                assertThat(verdict(without, number, sample))
                        .as("%s%s", SystemCalls.name(number).orElseThrow(), Arrays.toString(sample))
                        .isEqualTo(changed.getOrDefault(number, verdict(with, number, sample)));
            }
        }
    }

    @Test
    void tripwiresAreLaidOverAUsersProfile() {
        CompiledProfile compiled = compile(NARROW);
        assertThat(compiled.tripwires())
                .containsEntry(SystemCalls.require("ptrace"), "ptrace")
                .containsEntry(SystemCalls.require("mount"), "mount")
                .containsEntry(SystemCalls.require("kcmp"), "kcmp")
                .containsEntry(SystemCalls.require("bpf"), "bpf")
                .doesNotContainValue("keyctl");
        assertThat(verdict(compiled, "ptrace"))
                .as("refused with an error there")
                .isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "mount"))
                .as("refused by the default there")
                .isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "bpf")).as("allowed there").isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "keyctl")).as("kills there").isEqualTo(KILL);
        assertThat(verdict(compiled, "kcmp")).as("its own").isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "socket", 10)).as("its own, by argument").isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "socket", 17)).isEqualTo(EPERM);
    }

    @Test
    void noProfileLetsAJobInstallFilters() {
        CompiledProfile compiled = compile(NARROW);
        assertThat(verdict(compiled, "seccomp", 1)).isEqualTo(EPERM);
        for (long rubbish : new long[] {0, 1L << 32, 1L << 63}) {
            assertThat(verdict(compiled, "prctl", 22 | rubbish, 2)).isEqualTo(EPERM);
        }
        assertThat(verdict(compiled, "prctl", 15)).isEqualTo(ALLOW);
    }

    @Test
    void aListOfDenialsKeepsItsMeaning() {
        CompiledProfile compiled = compile("""
            {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
              {"names": ["ptrace", "socket"], "action": "SCMP_ACT_ERRNO"},
              {"names": ["ioctl"], "action": "SCMP_ACT_ERRNO", "args": [{"index": 1, "value": 21522, "op": "SCMP_CMP_EQ"}]}]}
            """);
        assertThat(compiled.jobFilter()).isEmpty();
        assertThat(verdict(compiled, "ptrace")).isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "socket", 1)).isEqualTo(EPERM);
        assertThat(verdict(compiled, "ioctl", 0, 21522 | 1L << 32)).isEqualTo(EPERM);
        assertThat(verdict(compiled, "ioctl", 0, 21523)).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "prctl", 22)).isEqualTo(EPERM);
        assertThat(verdict(compiled, "seccomp")).isEqualTo(EPERM);
        assertThat(verdict(compiled, "mount")).as("allowed, as everything").isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "mkdir")).as("allowed, as everything").isEqualTo(ALLOW);
    }

    /** libseccomp accepts no rule that repeats the default action, so that the rest must be spelt out. */
    @Test
    void casesThatAreLeftToTheDefault() {
        CompiledProfile compiled = compile("""
            {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38, "syscalls": [
              {"names": ["execve"], "action": "SCMP_ACT_ALLOW"},
              {"names": ["ioctl"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38, "args": [{"index": 1, "value": 21522, "op": "SCMP_CMP_EQ"}]},
              {"names": ["ioctl"], "action": "SCMP_ACT_TRAP", "args": [{"index": 1, "value": 21532, "op": "SCMP_CMP_EQ"}]},
              {"names": ["ioctl"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 0, "op": "SCMP_CMP_GE"}]}]}
            """);
        BpfInterpreter job = new BpfInterpreter(compiled.jobFilter().orElseThrow());
        int ioctl = SystemCalls.require("ioctl");
        assertThat(job.verdict(ioctl, 1, 21522)).isEqualTo(ENOSYS);
        assertThat(job.verdict(ioctl, 1, 21522 | 1L << 33)).isEqualTo(ENOSYS);
        assertThat(job.verdict(ioctl, 7, 21532)).isEqualTo(new FilterAction.Trap());
        assertThat(job.verdict(ioctl, 1, 21523)).isEqualTo(ALLOW);
    }

    @Test
    void everyActionIsCompiled() {
        CompiledProfile compiled = compile("""
            {"defaultAction": "SCMP_ACT_LOG", "syscalls": [
              {"names": ["chroot"], "action": "SCMP_ACT_KILL"},
              {"names": ["acct"], "action": "SCMP_ACT_KILL_PROCESS"},
              {"names": ["sync"], "action": "SCMP_ACT_TRAP"},
              {"names": ["syslog"], "action": "SCMP_ACT_ERRNO", "errnoRet": 95},
              {"names": ["read"], "action": "SCMP_ACT_ALLOW"}]}
            """);
        assertThat(verdict(compiled, "chroot")).isEqualTo(new FilterAction.KillThread());
        assertThat(verdict(compiled, "acct")).isEqualTo(KILL);
        assertThat(verdict(compiled, "sync")).isEqualTo(new FilterAction.Trap());
        assertThat(verdict(compiled, "syslog")).isEqualTo(new FilterAction.Errno(95));
        assertThat(verdict(compiled, "read")).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "write")).isEqualTo(new FilterAction.Log());
    }

    /** The compiled filter of a profile of a user's, over all its corners, against the profile. */
    @Test
    void filtersOfWildProfilesDoWhatTheySay() {
        String json = """
            {"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [
              {"names": ["execve"], "action": "SCMP_ACT_ALLOW"},
              {"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 38, "op": "SCMP_CMP_LT"}]},
              {"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 40, "op": "SCMP_CMP_GT"}]},
              {"names": ["socket"], "action": "SCMP_ACT_TRAP", "args": [{"index": 0, "value": 5, "op": "SCMP_CMP_LE"}, {"index": 1, "value": 3, "op": "SCMP_CMP_EQ"}]},
              {"names": ["mmap"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 1, "value": 1048576, "op": "SCMP_CMP_LE"}]},
              {"names": ["mmap"], "action": "SCMP_ACT_KILL_PROCESS", "args": [{"index": 2, "value": 6, "valueTwo": 6, "op": "SCMP_CMP_MASKED_EQ"}]},
              {"names": ["mmap"], "action": "SCMP_ACT_ERRNO", "errnoRet": 12},
              {"names": ["fcntl"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 1, "value": 8, "op": "SCMP_CMP_NE"}]},
              {"names": ["lseek"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 1, "value": 4611686018427387904, "op": "SCMP_CMP_GE"}, {"index": 2, "value": 1, "op": "SCMP_CMP_NE"}]}]}
            """;
        Profile profile = new ProfileFloor(Profiles.named("default")).under(parse(json));
        CompiledProfile compiled = compile(json);
        for (int number : profile.named()) {
            for (long[] sample : ArgumentSamples.of(profile.policy(number), number)) {
                assertThat(verdict(compiled, number, sample))
                        .as("%s%s", SystemCalls.name(number).orElseThrow(), Arrays.toString(sample))
                        .isEqualTo(profile.verdict(number, sample));
            }
        }
    }

    @Test
    void aProfileThatStartsNothingIsRefused() {
        assertThatExceptionOfType(InvalidProfile.class)
                .isThrownBy(() -> compile("{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"syscalls\": []}"))
                .withMessageContaining("execve");
    }

    @Test
    void aFilterThatTheKernelWouldRefuseIsRefused() {
        StringBuilder entries = new StringBuilder("{\"names\": [\"execve\"], \"action\": \"SCMP_ACT_ALLOW\"}");
        long value = 0;
        for (String call : List.of("mmap", "mremap", "mprotect", "brk", "ptrace", "unshare", "getcwd", "mount")) {
            for (int i = 0; i < 250; i++) {
                value += 0x1_0000_0001L;
                entries.append(",{\"names\": [\"%s\"], \"action\": \"SCMP_ACT_ALLOW\",".formatted(call))
                        .append("\"args\": [{\"index\": 0, \"value\": %d, \"op\": \"SCMP_CMP_EQ\"}]}".formatted(value));
            }
        }
        assertThatExceptionOfType(InvalidProfile.class)
                .isThrownBy(() -> compile("{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"syscalls\": [" + entries + "]}"))
                .withMessageContaining("4096");
    }

    @Test
    void aProfileIsCompiledOnce() throws ErrnoException {
        AtomicInteger compilations = new AtomicInteger();
        ProfileCompiler compiler = new ProfileCompiler(spec -> {
            compilations.incrementAndGet();
            return TestFilters.seccomp().compile(spec);
        });
        CompiledProfile first = compiler.compile(Profiles.named("default"));
        assertThat(compiler.compile(Profiles.named("default"))).isSameAs(first);
        assertThat(compilations).hasValue(1);
    }

    private static long[] example(ArgumentCube cube) {
        long[] arguments = new long[ArgumentCube.ARGUMENTS];
        cube.comparisons().forEach(compare -> arguments[compare.index()] = compare.valueTwo());
        return arguments;
    }
}
