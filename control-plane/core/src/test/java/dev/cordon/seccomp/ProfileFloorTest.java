package dev.cordon.seccomp;

import static dev.cordon.seccomp.TestFilters.ALLOW;
import static dev.cordon.seccomp.TestFilters.ENOSYS;
import static dev.cordon.seccomp.TestFilters.EPERM;
import static dev.cordon.seccomp.TestFilters.KILL;
import static dev.cordon.seccomp.TestFilters.NOTIFY;
import static dev.cordon.seccomp.TestFilters.parse;
import static dev.cordon.seccomp.TestFilters.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.seccomp.read.Profiles;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken back from profiles of users, whatever they say. */
class ProfileFloorTest {
    private static final FilterAction EINVAL = new FilterAction.Errno(22);
    private static final FilterAction EOPNOTSUPP = new FilterAction.Errno(95);
    private static final String EVERYTHING = "{\"defaultAction\": \"SCMP_ACT_ALLOW\"}";
    private static final Set<PlanRule> ALL_RULES = EnumSet.allOf(PlanRule.class);

    @Test
    void pageCacheOracles() throws ErrnoException {
        CompiledProfile compiled = compile(EVERYTHING, Set.of());
        for (String call : List.of("preadv2", "pwritev2")) {
            for (long flags : new long[] {0x8, 0x9, 0x80, 0x88 | 1L << 40}) {
                assertThat(verdict(compiled, call, 3, 0, 1, 0, 0, flags)).isEqualTo(EOPNOTSUPP);
            }
            assertThat(verdict(compiled, call, 3, 0, 1, 0, 0, 0x10)).isEqualTo(ALLOW);
        }
        assertThat(verdict(compiled, "fadvise64", 3, 0, 0, 4 | 1L << 32)).isEqualTo(EINVAL);
        assertThat(verdict(compiled, "fadvise64", 3, 0, 0, 3)).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "madvise", 0, 4096, 20)).isEqualTo(EINVAL);
        assertThat(verdict(compiled, "madvise", 0, 4096, 21)).isEqualTo(EINVAL);
        assertThat(verdict(compiled, "madvise", 0, 4096, 12)).isEqualTo(EPERM);
        assertThat(verdict(compiled, "madvise", 0, 4096, 4)).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "cachestat")).isEqualTo(EPERM);
        assertThat(verdict(compiled, "io_submit")).isEqualTo(ENOSYS);
    }

    @Test
    void tripwiresStay() throws ErrnoException {
        CompiledProfile compiled = compile(EVERYTHING, Set.of());
        for (String call : List.of(
                "mount",
                "unshare",
                "setns",
                "bpf",
                "io_uring_setup",
                "userfaultfd",
                "keyctl",
                "kexec_load",
                "ptrace")) {
            assertThat(verdict(compiled, call)).as(call).isEqualTo(NOTIFY);
            assertThat(compiled.tripwires()).containsValue(call);
        }
    }

    @Test
    void debuggersMayBeAllowedByName() throws ErrnoException {
        CompiledProfile compiled = compile("""
            {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
              {"names": ["ptrace", "process_vm_readv", "bpf", "pidfd_getfd"], "action": "SCMP_ACT_ALLOW"},
              {"names": ["keyctl"], "action": "SCMP_ACT_KILL_PROCESS", "args": [{"index": 0, "value": 1, "op": "SCMP_CMP_EQ"}]},
              {"names": ["keyctl"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 0, "op": "SCMP_CMP_GE"}]}]}
            """, Set.of());
        assertThat(verdict(compiled, "ptrace")).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "process_vm_readv")).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "process_vm_writev")).as("not named").isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "bpf")).isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "pidfd_getfd")).isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "keyctl", 0)).isEqualTo(NOTIFY);
        assertThat(verdict(compiled, "keyctl", 1)).as("stricter there").isEqualTo(KILL);
        assertThat(compiled.warnings())
                .singleElement()
                .asString()
                .contains("no profile can allow bpf, keyctl, pidfd_getfd");
    }

    @Test
    void namespacesTerminalsAndWatches() throws ErrnoException {
        CompiledProfile compiled = compile(EVERYTHING, Set.of());
        for (long flag : new long[] {0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000}) {
            assertThat(verdict(compiled, "clone", flag | 17)).isEqualTo(EPERM);
        }
        assertThat(verdict(compiled, "clone", 17)).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "clone3")).isEqualTo(ENOSYS);
        assertThat(verdict(compiled, "ioctl", 0, 0x5412 | 1L << 32)).isEqualTo(EPERM);
        assertThat(verdict(compiled, "ioctl", 0, 0x541c)).isEqualTo(EPERM);
        assertThat(verdict(compiled, "ioctl", 0, 0x5401)).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "fcntl", 3, 1026)).isEqualTo(EINVAL);
        assertThat(verdict(compiled, "fcntl", 3, 1024)).as("F_SETLEASE").isEqualTo(EINVAL);
        assertThat(verdict(compiled, "fcntl", 3, 1025)).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "fanotify_init")).isEqualTo(EPERM);
        assertThat(verdict(compiled, "inotify_init1")).isEqualTo(ALLOW);
    }

    @Test
    void socketsStayInTheirNamespace() throws ErrnoException {
        CompiledProfile compiled = compile(EVERYTHING, Set.of());
        for (long family = 0; family < 64; family++) {
            FilterAction pair = Set.of(1L, 2L, 10L, 16L, 17L).contains(family) ? ALLOW : EPERM;
            FilterAction expected = family == 16 ? new FilterAction.Errno(Errno.EOPNOTSUPP) : pair;
            assertThat(verdict(compiled, "socket", family, 1, 0))
                    .as("family %d", family)
                    .isEqualTo(expected);
            assertThat(verdict(compiled, "socketpair", family | 1L << 32, 1, 0))
                    .as("family %d", family)
                    .isEqualTo(pair);
        }
    }

    /** As a kernel without netlink answers: ZeroMQ goes on. */
    @Test
    void nobodyHasNetlink() throws ErrnoException {
        CompiledProfile compiled = compile(EVERYTHING, Set.of());
        FilterAction unsupported = new FilterAction.Errno(Errno.EOPNOTSUPP);
        assertThat(verdict(compiled, "socket", 16, 3, 0)).isEqualTo(unsupported);
        assertThat(verdict(compiled, "socket", 16 | 1L << 32, 2, 15)).isEqualTo(unsupported);
    }

    @Test
    void tracingIsATripwireAmongTheHostsProcesses() throws ErrnoException {
        String debugger = "{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"ptrace\"], \"action\":"
                + " \"SCMP_ACT_ALLOW\"}]}";
        assertThat(verdict(compile(debugger, Set.of()), "ptrace")).isEqualTo(ALLOW);
        assertThat(verdict(compile(debugger, Set.of(PlanRule.NO_TRACING)), "ptrace"))
                .isEqualTo(NOTIFY);
        assertThat(verdict(
                        compile(
                                debugger.replace(
                                        "\"action\": \"SCMP_ACT_ALLOW\"", "\"action\": \"SCMP_ACT_KILL_PROCESS\""),
                                Set.of(PlanRule.NO_TRACING)),
                        "ptrace"))
                .as("stricter there")
                .isEqualTo(KILL);
    }

    @Test
    void setIdModesWhereAJobWritesToTheHost() throws ErrnoException {
        CompiledProfile inside = compile(EVERYTHING, Set.of());
        CompiledProfile compiled = compile(EVERYTHING, Set.of(PlanRule.HOST_FILES));
        assertThat(verdict(inside, "chmod", 0, 06755)).isEqualTo(ALLOW);
        for (long mode : new long[] {04755, 02755, 06777, 04000 | 1L << 16}) {
            for (String call : List.of("chmod", "fchmod", "creat", "mknod")) {
                assertThat(verdict(compiled, call, 0, mode)).as(call).isEqualTo(EPERM);
            }
            for (String call : List.of("fchmodat", "fchmodat2", "mknodat")) {
                assertThat(verdict(compiled, call, 0, 0, mode)).as(call).isEqualTo(EPERM);
            }
            assertThat(verdict(compiled, "open", 0, 0x41, mode)).isEqualTo(EPERM);
            assertThat(verdict(compiled, "openat", 0, 0, 0x410002, mode)).isEqualTo(EPERM);
            assertThat(verdict(compiled, "openat", 0, 0, 0, mode)).isEqualTo(ALLOW);
        }
        assertThat(verdict(compiled, "openat2")).isEqualTo(ENOSYS);
        assertThat(verdict(inside, "syncfs")).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "syncfs")).isEqualTo(EPERM);
        assertThat(verdict(compiled, "chmod", 0, 01777)).isEqualTo(ALLOW);
        assertThat(verdict(compiled, "openat", 0, 0, 0x41, 0644)).isEqualTo(ALLOW);
    }

    /** What Cordon ships says it all already: the floor is there for others. */
    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void shippedProfilesStandOnTheFloor(String name) {
        Profile profile = Profiles.named(name);
        assertThat(new ProfileFloor(Profiles.named("default")).under(profile).calls())
                .isEqualTo(profile.calls());
    }

    @Test
    void neverWeakerThanTheProfile() {
        for (String json : List.of(EVERYTHING, "{\"defaultAction\": \"SCMP_ACT_KILL_PROCESS\"}", """
            {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 13, "syscalls": [
              {"names": ["chmod", "open", "madvise"], "action": "SCMP_ACT_KILL_PROCESS", "args": [{"index": 1, "value": 6000, "op": "SCMP_CMP_GE"}]},
              {"names": ["chmod", "open", "madvise"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 0, "op": "SCMP_CMP_GE"}]},
              {"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 40, "op": "SCMP_CMP_NE"}]}]}
            """)) {
            Profile profile = parse(json);
            Profile held = new ProfileFloor(Profiles.named("default")).under(profile.with(ALL_RULES));
            for (int number : SystemCalls.all().values()) {
                for (long[] sample : ArgumentSamples.of(held.policy(number), number)) {
                    assertThat(ActionStrictness.of(held.verdict(number, sample)))
                            .as("%s%s", SystemCalls.name(number).orElseThrow(), Arrays.toString(sample))
                            .isGreaterThanOrEqualTo(ActionStrictness.of(profile.verdict(number, sample)));
                }
            }
        }
    }

    private static CompiledProfile compile(String json, Set<PlanRule> rules) throws ErrnoException {
        return TestFilters.compiler().compile(parse(json).with(rules));
    }
}
