package dev.cordon.seccomp;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.value.Errno;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules of {@link ProfileFloor} and of {@link PlanRule}, as data. */
final class FloorRules {
    private static final long INT = 0xffffffffL;
    private static final long S_ISUID = 04000;
    private static final long S_ISGID = 02000;
    private static final long O_CREAT = 0x40;
    private static final long O_TMPFILE = 0x400000;
    private static final long CLONE_NEWNS = 0x20000;
    private static final long CLONE_NEWCGROUP_TO_NEWNET = 0x7e000000;
    private static final long RWF_NOWAIT = 0x8;
    private static final long RWF_DONTCACHE = 0x80;
    private static final long POSIX_FADV_DONTNEED = 4;
    private static final long MADV_MERGEABLE = 12;
    private static final long MADV_COLD = 20;
    private static final long MADV_PAGEOUT = 21;
    private static final long PR_SET_SECCOMP = 22;
    private static final long PR_SET_MEMORY_MERGE = 67;
    private static final long TIOCSTI = 0x5412;
    private static final long TIOCLINUX = 0x541c;
    private static final long F_SETLEASE = 1024;
    private static final long F_NOTIFY = 1026;
    private static final long F_SETDELEG = 1040;
    private static final long AF_NETLINK = 16;

    /** AF_UNIX, AF_INET, AF_INET6, AF_PACKET: the families that the jail's network namespace holds, and whose memory is charged. */
    private static final List<Long> FAMILIES = List.of(1L, 2L, 10L, 17L);

    /** Families have numbers below 46 (Linux 6.18). */
    private static final long NO_FAMILY = INT & -64;

    private static final FilterAction EPERM = new FilterAction.Errno(Errno.EPERM);
    private static final FilterAction ENOSYS = new FilterAction.Errno(Errno.ENOSYS);
    private static final FilterAction EINVAL = new FilterAction.Errno(Errno.EINVAL);
    private static final FilterAction EOPNOTSUPP = new FilterAction.Errno(Errno.EOPNOTSUPP);

    private static final List<Refusal> ALWAYS = collectAlways();
    private static final List<Refusal> HOST_FILES = collectHostFiles();
    private static final List<Refusal> NO_TRACING = collectNoTracing();

    private FloorRules() {}

    /**
     * Calls that are refused.
     *
     * @param syscall the number
     * @param cube with these arguments
     * @param action how
     */
    record Refusal(int syscall, ArgumentCube cube, FilterAction action) {
        /** Takes the calls out of a profile's, where it is not stricter. */
        void applyTo(Map<Integer, CallPolicy> calls, FilterAction defaultAction) {
            CallPolicy policy = calls.getOrDefault(syscall, CallPolicy.always(defaultAction));
            CallPolicy changed = policy.stricter(cube, action);
            if (!changed.equals(policy)) {
                calls.put(syscall, changed);
            }
        }
    }

    static List<Refusal> always() {
        return ALWAYS;
    }

    static List<Refusal> of(PlanRule rule) {
        return switch (rule) {
            case HOST_FILES -> HOST_FILES;
            case NO_TRACING -> NO_TRACING;
        };
    }

    static Set<Integer> numbers(String names) {
        return Arrays.stream(names.split(" ", -1)).map(SystemCalls::require).collect(Collectors.toUnmodifiableSet());
    }

    private static List<Refusal> collectAlways() {
        List<Refusal> rules = new ArrayList<>();
        // Filters of the job's own: a listener in one would silence the tripwires.
        whole(rules, "seccomp", EPERM);
        equal(rules, "prctl", 0, PR_SET_SECCOMP, EPERM);
        // Namespaces of the job's own. clone3 hides its flags, libc falls back to clone.
        for (long bits = CLONE_NEWNS | CLONE_NEWCGROUP_TO_NEWNET; bits != 0; bits &= bits - 1) {
            bit(rules, "clone", 0, Long.lowestOneBit(bits), EPERM);
        }
        whole(rules, "clone3", ENOSYS);
        // Characters put into the terminal of whoever started Cordon.
        equal(rules, "ioctl", 1, TIOCSTI, EPERM);
        equal(rules, "ioctl", 1, TIOCLINUX, EPERM);
        pageCache(rules);
        // Watching the host's directories: inotify is the plan's business, the rest nobody's.
        whole(rules, "fanotify_init fanotify_mark", EPERM);
        equal(rules, "fcntl", 1, F_NOTIFY, EINVAL);
        // A lease makes others wait who open the file: of its own control group, the control plane.
        equal(rules, "fcntl", 1, F_SETLEASE, EINVAL);
        equal(rules, "fcntl", 1, F_SETDELEG, EINVAL);
        // The kernel charges nobody for what waits in a netlink socket; as one without netlink answers, so that
        // programs go on.
        equal(rules, "socket", 0, AF_NETLINK, EOPNOTSUPP);
        // Sockets that reach beyond a network namespace: AF_VSOCK talks to the hypervisor, whatever the namespace.
        List<ArgumentCube> known = Stream.concat(FAMILIES.stream(), Stream.of(AF_NETLINK))
                .map(family -> ArgumentCube.of(0, INT, family))
                .toList();
        for (String call : List.of("socket", "socketpair")) {
            for (ArgumentCube family : ArgumentCube.minus(List.of(ArgumentCube.of(0, NO_FAMILY, 0)), known)) {
                rules.add(new Refusal(SystemCalls.require(call), family, EPERM));
            }
        }
        return List.copyOf(rules);
    }

    /** E-05: who uses which file, told by the pages that are in memory, and pages that are the same. */
    private static void pageCache(List<Refusal> rules) {
        for (String call : List.of("preadv2", "pwritev2")) {
            bit(rules, call, 5, RWF_NOWAIT, EOPNOTSUPP);
            bit(rules, call, 5, RWF_DONTCACHE, EOPNOTSUPP);
        }
        // Kernel AIO takes the same flags, behind a pointer.
        whole(rules, "io_setup io_submit", ENOSYS);
        whole(rules, "cachestat", EPERM);
        equal(rules, "fadvise64", 3, POSIX_FADV_DONTNEED, EINVAL);
        equal(rules, "madvise", 2, MADV_COLD, EINVAL);
        equal(rules, "madvise", 2, MADV_PAGEOUT, EINVAL);
        equal(rules, "madvise", 2, MADV_MERGEABLE, EPERM);
        equal(rules, "process_madvise", 3, MADV_COLD, EINVAL);
        equal(rules, "process_madvise", 3, MADV_PAGEOUT, EINVAL);
        equal(rules, "process_madvise", 3, MADV_MERGEABLE, EPERM);
        equal(rules, "prctl", 0, PR_SET_MEMORY_MERGE, EPERM);
    }

    private static List<Refusal> collectHostFiles() {
        List<Refusal> rules = new ArrayList<>();
        for (long mode : new long[] {S_ISUID, S_ISGID}) {
            for (String call : List.of("chmod", "fchmod", "creat", "mknod")) {
                bit(rules, call, 1, mode, EPERM);
            }
            for (String call : List.of("fchmodat", "fchmodat2", "mknodat")) {
                bit(rules, call, 2, mode, EPERM);
            }
            // The kernel looks at the mode only when a file is made.
            for (long flag : new long[] {O_CREAT, O_TMPFILE}) {
                both(rules, "open", ArgumentCube.of(1, flag, flag), ArgumentCube.of(2, mode, mode));
                both(rules, "openat", ArgumentCube.of(2, flag, flag), ArgumentCube.of(3, mode, mode));
            }
        }
        whole(rules, "openat2", ENOSYS);
        whole(rules, "syncfs", EPERM);
        return List.copyOf(rules);
    }

    private static List<Refusal> collectNoTracing() {
        List<Refusal> rules = new ArrayList<>();
        whole(rules, "ptrace process_vm_readv process_vm_writev", new FilterAction.Notify());
        return List.copyOf(rules);
    }

    private static void whole(List<Refusal> rules, String names, FilterAction action) {
        numbers(names).forEach(syscall -> rules.add(new Refusal(syscall, ArgumentCube.ALL, action)));
    }

    private static void equal(List<Refusal> rules, String name, int index, long value, FilterAction action) {
        rules.add(new Refusal(SystemCalls.require(name), ArgumentCube.of(index, INT, value), action));
    }

    private static void bit(List<Refusal> rules, String name, int index, long bit, FilterAction action) {
        rules.add(new Refusal(SystemCalls.require(name), ArgumentCube.of(index, bit, bit), action));
    }

    private static void both(List<Refusal> rules, String name, ArgumentCube one, ArgumentCube other) {
        rules.add(new Refusal(SystemCalls.require(name), one.and(other), EPERM));
    }
}
