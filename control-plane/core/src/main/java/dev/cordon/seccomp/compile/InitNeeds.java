package dev.cordon.seccomp.compile;

import dev.cordon.seccomp.ArgumentCube;
import dev.cordon.seccomp.SystemCalls;
import java.util.ArrayList;
import java.util.List;

/**
 * What init calls once its filter is loaded: to take requests, to start commands, to reap them, to serve files. None of it may be a tripwire,
 * or init would wait for the supervisor that waits for init.
 */
final class InitNeeds {
    private static final long INT = 0xffffffffL;
    private static final long SET_ID_BITS = 06000;
    private static final long O_CREAT_OR_TMPFILE = 0x400040;
    private static final long PR_SET_PDEATHSIG = 1;
    private static final long MADV_DONTNEED = 4;
    private static final long MADV_FREE = 8;

    /** With any arguments. */
    private static final String PLAIN = """
        brk chdir clock_gettime close close_range dup dup2 dup3 execve execveat exit exit_group fchdir fork fstat
        ftruncate futex getcwd getdents64 getpid gettid kill lseek mkdirat mmap mprotect mremap munmap newfstatat
        openat2 poll ppoll pread64 read readlink recvfrom recvmsg rt_sigaction rt_sigprocmask rt_sigreturn sendmsg sendto
        set_robust_list set_tid_address setpgid setsid sched_yield statfs statx tgkill tkill umask unlinkat vfork wait4 waitid
        write writev arch_prctl
        """;

    private InitNeeds() {}

    /**
     * Calls of one number.
     *
     * @param syscall the number
     * @param cube with these arguments
     */
    record Need(int syscall, ArgumentCube cube) {}

    static List<Need> all() {
        List<Need> needs = new ArrayList<>();
        for (String name : PLAIN.strip().split("\\s+", -1)) {
            needs.add(new Need(SystemCalls.require(name), ArgumentCube.ALL));
        }
        // posix_spawn's shape and fork's: CLONE_VM | CLONE_VFORK | SIGCHLD, and SIGCHLD alone.
        needs.add(equal("clone", 0, 0x4111));
        needs.add(equal("clone", 0, 17));
        // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GET_SEALS.
        for (long command : new long[] {0, 1, 2, 3, 4, 1030, 1034}) {
            needs.add(equal("fcntl", 1, command));
        }
        // Files of the workspace are made with modes of 0777 at most.
        needs.add(masked("fchmod", 1, SET_ID_BITS, 0));
        needs.add(masked("open", 1, O_CREAT_OR_TMPFILE, 0));
        needs.add(masked("openat", 2, O_CREAT_OR_TMPFILE, 0));
        needs.add(masked("openat", 3, SET_ID_BITS, 0));
        // The limits of the command, set by its own process before exec.
        needs.add(equal("prlimit64", 0, 0));
        needs.add(equal("prctl", 0, PR_SET_PDEATHSIG));
        // malloc gives memory back.
        needs.add(equal("madvise", 2, MADV_DONTNEED));
        needs.add(equal("madvise", 2, MADV_FREE));
        // A terminal of the command's own: TIOCSCTTY, TIOCSWINSZ, TIOCGPTN, TIOCSPTLCK, TIOCGPTPEER, TIOCGWINSZ.
        for (long command : new long[] {0x540e, 0x5414, 0x80045430L, 0x40045431, 0x5441, 0x5413}) {
            needs.add(equal("ioctl", 1, command));
        }
        return needs;
    }

    private static Need masked(String name, int index, long mask, long value) {
        return new Need(SystemCalls.require(name), ArgumentCube.of(index, mask, value));
    }

    private static Need equal(String name, int index, long value) {
        return new Need(SystemCalls.require(name), ArgumentCube.of(index, INT, value));
    }
}
