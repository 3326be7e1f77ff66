package dev.cordon.seccomp;

import static dev.cordon.seccomp.TestFilters.ALLOW;
import static dev.cordon.seccomp.TestFilters.ENOSYS;
import static dev.cordon.seccomp.TestFilters.ENOTTY;
import static dev.cordon.seccomp.TestFilters.EPERM;
import static dev.cordon.seccomp.TestFilters.NOTIFY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.seccomp.read.Profiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy of the profiles that Cordon ships, without compiling them. */
class ShippedProfilesTest {
    private static final int EPROTONOSUPPORT = 93;
    private static final int EOPNOTSUPP = 95;
    private static final Set<String> DEBUGGING = Set.of("ptrace", "process_vm_readv", "process_vm_writev");

    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void everySystemCallIsClassified(String name) {
        Set<String> missing = new TreeSet<>(SystemCalls.all().keySet());
        for (int syscall : Profiles.named(name).named()) {
            missing.remove(SystemCalls.name(syscall).orElseThrow());
        }
        assertThat(missing).as("calls that %s.json does not mention", name).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void nothingIsWorthAWarning(String name) {
        assertThat(Profiles.named(name).warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void unknownCallsAnswerEnosys(String name) {
        assertThat(Profiles.named(name).verdict(471 + 1)).isEqualTo(ENOSYS);
        assertThat(Profiles.named(name).verdict(100_000)).isEqualTo(ENOSYS);
    }

    /** Filters are packaged when Cordon is built: nothing in them may depend on where they run. */
    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug", "qemu"})
    void noEntryDependsOnTheHost(String name) throws IOException {
        assertThat(new String(TestFilters.shipped(name), StandardCharsets.UTF_8))
                .doesNotContain("\"includes\"", "\"excludes\"", "archMap");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ptrace",
                "bpf",
                "io_uring_setup",
                "io_uring_enter",
                "io_uring_register",
                "userfaultfd",
                "kexec_load",
                "kexec_file_load",
                "keyctl",
                "add_key",
                "request_key",
                "mount",
                "umount2",
                "move_mount",
                "fsopen",
                "fsconfig",
                "fsmount",
                "fspick",
                "open_tree",
                "mount_setattr",
                "pivot_root",
                "unshare",
                "setns",
                "perf_event_open",
                "init_module",
                "finit_module",
                "delete_module",
                "open_by_handle_at",
                "process_vm_readv",
                "process_vm_writev",
                "pidfd_getfd",
                "reboot",
                "swapon",
                "swapoff"
            })
    void tripwires(String call) {
        for (String name : Profiles.names()) {
            boolean debugs = name.equals("debug") && DEBUGGING.contains(call);
            assertThat(verdict(name, call)).as(name).isEqualTo(debugs ? ALLOW : NOTIFY);
        }
    }

    /** B-07, B-10, D-16, E-05: refused, whatever the arguments. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "seccomp",
                "mlockall",
                "cachestat",
                "modify_ldt",
                "fanotify_init",
                "quotactl",
                "lsm_get_self_attr",
                "kcmp",
                "chroot",
                "syslog",
                "settimeofday",
                "clock_settime",
                "sethostname",
                "sched_setattr",
                "sync",
                "migrate_pages"
            })
    void refused(String call) {
        for (String name : Profiles.names()) {
            assertThat(verdict(name, call)).as(name).isEqualTo(EPERM);
        }
    }

    @Test
    void cloneThreeHidesItsFlagsAndIsUnknown() {
        for (String name : Profiles.names()) {
            assertThat(verdict(name, "clone3")).as(name).isEqualTo(ENOSYS);
        }
    }

    /** CLONE_NEWTIME is not here: in clone's flags its bit belongs to the exit signal. */
    @ParameterizedTest
    @ValueSource(longs = {0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000})
    void clonesWithNamespacesAreRefused(long flag) {
        for (String name : Profiles.names()) {
            assertThat(verdict(name, "clone", flag | 17)).as(name).isEqualTo(EPERM);
            assertThat(verdict(name, "clone", flag | 0x10f00)).as(name).isEqualTo(EPERM);
        }
    }

    @Test
    void processesAndThreadsStart() {
        assertThat(verdict("default", "clone", 17)).isEqualTo(ALLOW);
        assertThat(verdict("default", "clone", 0x4111)).isEqualTo(ALLOW);
        assertThat(verdict("default", "clone", 0x3d0f00)).isEqualTo(ALLOW);
        assertThat(verdict("strict", "clone", 0x3d0f00)).isEqualTo(ALLOW);
        assertThat(verdict("strict", "clone", 17)).isEqualTo(EPERM);
        assertThat(verdict("strict", "clone", 0x4111)).isEqualTo(EPERM);
        assertThat(verdict("strict", "fork")).isEqualTo(EPERM);
        assertThat(verdict("strict", "vfork")).isEqualTo(EPERM);
        assertThat(verdict("strict", "execve")).isEqualTo(ALLOW);
    }

    /** B-09. */
    @Test
    void socketFamiliesByExactMatch() {
        for (long family = 0; family <= 64; family++) {
            FilterAction other = family == 16 ? new FilterAction.Errno(EOPNOTSUPP) : EPERM;
            boolean known = Set.of(1L, 2L, 10L).contains(family);
            assertThat(verdict("default", "socket", family, 1, 0))
                    .as("family %d", family)
                    .isEqualTo(known ? ALLOW : other);
            assertThat(verdict("default", "socketpair", family, 1, 0))
                    .as("pair of family %d", family)
                    .isEqualTo(family == 1 ? ALLOW : EPERM);
            assertThat(verdict("strict", "socket", family, 1, 0)).isEqualTo(EPERM);
        }
    }

    /** UDP-Lite answers as on a kernel without it. */
    @ParameterizedTest
    @CsvSource({
        "2, 0x80801, 6, allowed",
        "10, 2, 17, allowed",
        "2, 0x80002, 0, allowed",
        "2, 3, 1, refused",
        "2, 1, 132, refused",
        "2, 1, 262, refused",
        "10, 0x80001, 262, refused",
        "2, 2, 136, unknown",
        "10, 0x802, 136, unknown",
        "2, 5, 132, refused",
        "10, 6, 33, refused",
        "2, 2, 6, refused",
        "2, 2, 1, refused"
    })
    void internetSocketsAreTcpAndUdp(String family, String type, String protocol, String expected) {
        FilterAction action = Map.of(
                        "allowed", ALLOW, "refused", EPERM, "unknown", new FilterAction.Errno(EPROTONOSUPPORT))
                .get(expected);
        assertThat(verdict("default", "socket", Long.decode(family), Long.decode(type), Long.decode(protocol)))
                .isEqualTo(action);
    }

    /** B-15. */
    @Test
    void netlinkIsAnsweredAsByAKernelWithoutIt() {
        FilterAction unsupported = new FilterAction.Errno(EOPNOTSUPP);
        for (long protocol = 0; protocol < 64; protocol++) {
            for (long type : new long[] {2, 3, 0x80003}) {
                assertThat(verdict("default", "socket", 16, type, protocol))
                        .as("protocol %d", protocol)
                        .isEqualTo(unsupported);
            }
        }
        assertThat(verdict("default", "socket", 1L << 32 | 16, 3, 0)).isEqualTo(unsupported);
        assertThat(verdict("strict", "socket", 16, 3, 0)).isEqualTo(EPERM);
    }

    /** */
    @ParameterizedTest
    @ValueSource(longs = {0x5412, 0x541c})
    void terminalInjectionIsRefused(long command) {
        for (String name : Profiles.names()) {
            for (long rubbish : List.of(0L, 1L << 32, 1L << 63, -1L << 32)) {
                assertThat(verdict(name, "ioctl", 0, command | rubbish))
                        .as(name)
                        .isEqualTo(EPERM);
            }
        }
    }

    @Test
    void otherCommandsOfDevicesAreUnknownToThem() {
        long setLineDiscipline = 0x5423;
        assertThat(verdict("default", "ioctl", 0, setLineDiscipline)).isEqualTo(ENOTTY);
        assertThat(verdict("default", "ioctl", 0, 0x5401)).isEqualTo(ALLOW);
        assertThat(verdict("default", "ioctl", 0, 0x80045430L)).isEqualTo(ALLOW);
        assertThat(verdict("default", "ioctl", 0, 0xffffffff80045430L))
                .as("extended, as musl passes it")
                .isEqualTo(ALLOW);
    }

    @Test
    void noFilterOfTheJobsOwn() {
        for (String name : Profiles.names()) {
            assertThat(verdict(name, "prctl", 22, 2)).as(name).isEqualTo(EPERM);
            assertThat(verdict(name, "prctl", 22 | 1L << 32, 2)).as(name).isEqualTo(EPERM);
            assertThat(verdict(name, "prctl", 35)).as("PR_SET_MM, %s", name).isEqualTo(EPERM);
            assertThat(verdict(name, "prctl", 15)).as("PR_SET_NAME, %s", name).isEqualTo(ALLOW);
            assertThat(verdict(name, "prctl", 47, 2))
                    .as("PR_CAP_AMBIENT_RAISE, %s", name)
                    .isEqualTo(EPERM);
        }
    }

    /** B-10. */
    @Test
    void personalitiesByExactMatch() {
        for (long allowed : new long[] {0, 8, 0x20000, 0x20008, 0xffffffffL}) {
            assertThat(verdict("default", "personality", allowed)).isEqualTo(ALLOW);
        }
        for (long refused : new long[] {0x400000, 0x40000, 0x40008, 1, 0xfffffffeL}) {
            assertThat(verdict("default", "personality", refused)).isEqualTo(EPERM);
        }
    }

    @Test
    void filesWithSetIdBitsAreNotMade() {
        long created = 0x40 | 0x1;
        long temporary = 0x410000 | 0x2;
        for (long mode : new long[] {04755, 02755, 06777, 04000, 02000}) {
            for (String call : List.of("chmod", "fchmod", "creat")) {
                assertThat(verdict("default", call, 0, mode)).as(call).isEqualTo(EPERM);
            }
            for (String call : List.of("fchmodat", "fchmodat2")) {
                assertThat(verdict("default", call, 0, 0, mode)).as(call).isEqualTo(EPERM);
            }
            assertThat(verdict("default", "open", 0, created, mode)).isEqualTo(EPERM);
            assertThat(verdict("default", "openat", 0, 0, created, mode)).isEqualTo(EPERM);
            assertThat(verdict("default", "openat", 0, 0, temporary, mode)).isEqualTo(EPERM);
            assertThat(verdict("default", "open", 0, 0, mode))
                    .as("the mode is rubbish here")
                    .isEqualTo(ALLOW);
            assertThat(verdict("default", "openat", 0, 0, 0x80000, mode))
                    .as("the mode is rubbish here")
                    .isEqualTo(ALLOW);
            assertThat(verdict("default", "mknod", 0, 0100000 | mode)).isEqualTo(EPERM);
        }
        assertThat(verdict("default", "openat", 0, 0, created, 01777)).isEqualTo(ALLOW);
        assertThat(verdict("default", "chmod", 0, 0777)).isEqualTo(ALLOW);
    }

    @Test
    void deviceNodesAreNotMade() {
        for (String call : List.of("mknod", "mknodat")) {
            long[] shift = call.equals("mknod") ? new long[] {0} : new long[] {0, 0};
            for (Map.Entry<Long, FilterAction> type : Map.of(
                            0L, ALLOW, 0100644L, ALLOW, 0010644L, ALLOW, 0140644L, ALLOW, 0020666L, EPERM, 0060666L,
                            EPERM)
                    .entrySet()) {
                long[] arguments = Arrays.copyOf(shift, shift.length + 1);
                arguments[shift.length] = type.getKey();
                assertThat(verdict("default", call, arguments))
                        .as("%s %o", call, type.getKey())
                        .isEqualTo(type.getValue());
            }
        }
    }

    /** D-16. */
    @Test
    void realTimeIsRefused() {
        for (long policy : new long[] {1, 2, 6, 0x40000001L}) {
            assertThat(verdict("default", "sched_setscheduler", 0, policy)).isEqualTo(EPERM);
        }
        assertThat(verdict("default", "sched_setscheduler", 0, 0x40000003L)).isEqualTo(ALLOW);
        assertThat(verdict("default", "ioprio_set", 1, 0, 1 << 13)).isEqualTo(EPERM);
        assertThat(verdict("default", "ioprio_set", 1, 0, 3 << 13)).isEqualTo(ALLOW);
    }

    @Test
    void theJvmsProfileAddsMemoryPoliciesAndNothingElse() {
        Set<String> added = Set.of("get_mempolicy", "mbind", "set_mempolicy", "set_mempolicy_home_node");
        Profile usual = Profiles.named("default");
        Profile jvm = Profiles.named("jvm");
        SystemCalls.all().forEach((name, number) -> {
            if (added.contains(name)) {
                assertThat(jvm.policy(number)).as(name).isEqualTo(CallPolicy.always(ALLOW));
                assertThat(usual.policy(number)).as(name).isEqualTo(CallPolicy.always(EPERM));
            } else {
                assertThat(jvm.policy(number).rules(number, ENOSYS))
                        .as(name)
                        .isEqualTo(usual.policy(number).rules(number, ENOSYS));
            }
        });
    }

    @Test
    void theDebuggersProfileAddsTracingAndNothingElse() {
        Profile usual = Profiles.named("default");
        Profile debug = Profiles.named("debug");
        SystemCalls.all().forEach((name, number) -> {
            if (DEBUGGING.contains(name)) {
                assertThat(debug.policy(number)).as(name).isEqualTo(CallPolicy.always(ALLOW));
            } else {
                assertThat(debug.policy(number).rules(number, ENOSYS))
                        .as(name)
                        .isEqualTo(usual.policy(number).rules(number, ENOSYS));
            }
        });
    }

    @Test
    void strictAllowsNothingThatDefaultRefuses() {
        Profile usual = Profiles.named("default");
        Profile strict = Profiles.named("strict");
        for (int syscall : SystemCalls.all().values()) {
            for (long[] sample : ArgumentSamples.of(strict.policy(syscall), syscall)) {
                if (strict.verdict(syscall, sample).equals(ALLOW)) {
                    assertThat(usual.verdict(syscall, sample))
                            .as("%s%s", SystemCalls.name(syscall).orElseThrow(), Arrays.toString(sample))
                            .isEqualTo(ALLOW);
                }
            }
        }
    }

    private static FilterAction verdict(String profile, String call, long... arguments) {
        return Profiles.named(profile).verdict(SystemCalls.require(call), arguments);
    }
}
