package dev.cordon.seccomp.read;

import dev.cordon.seccomp.SystemCalls;
import java.util.HashMap;
import java.util.Map;

/**
 * How many bits of each argument the kernel looks at. A filter sees all 64 bits of a register, but the kernel's entry code casts an argument
 * to its declared type first: {@code socket(0x100000028)} is {@code socket(40)}. Rules compare these bits alone, so that a value and the same
 * value with rubbish above it get the same verdict (CVE-2019-7303, CVE-2019-10063).
 *
 * <p>The widths are those of {@code include/linux/syscalls.h}: int, unsigned, pid_t, uid_t, key_t, clockid_t and their like are 32 bits,
 * umode_t is 16. clone declares unsigned long and then takes the lower half; readv and its kin take a descriptor as unsigned long and look up
 * an unsigned int.
 *
 * <p>Compared by a script with that file of Linux 6.12, for the 354 calls that it declares: they differ in those alone, and in fanotify_mark,
 * whose mask is two arguments on 32-bit machines only. The newer ones and those of x86 alone were read one by one.
 */
public final class ArgumentWidths {
    /** Bytes of each argument, "-" for a whole register, then the calls with such arguments. */
    private static final String BYTES = """
        4: accept alarm arch_prctl clock_adjtime clock_getres clock_gettime clock_settime clone close dup
          epoll_create epoll_create1 eventfd exit exit_group fchdir fdatasync fgetxattr flistxattr
          fremovexattr fstat fstatfs fsync ftruncate futimesat get_robust_list getgroups getitimer
          getpeername getpgid getrlimit getrusage getsid getsockname inotify_init1 io_setup io_uring_setup
          iopl keyctl memfd_secret migrate_pages mlockall modify_ldt mq_getsetattr mq_notify mq_timedreceive
          openat2 personality pkey_free prctl pread64 preadv process_vm_readv process_vm_writev pselect6
          pwrite64 pwritev read readahead readv rt_sigaction rt_sigprocmask sched_get_priority_max
          sched_get_priority_min sched_getparam sched_getscheduler sched_rr_get_interval sched_setparam
          select set_mempolicy setfsgid setfsuid setgid setgroups setitimer setrlimit setuid signalfd syncfs
          sysfs timer_create timer_delete timer_getoverrun timer_gettime timerfd_gettime umask userfaultfd
          ustat write writev
        42: fchmod
        44: clock_nanosleep dup2 eventfd2 fallocate fanotify_init fcntl flock getpriority inotify_rm_watch
          ioctl ioprio_get kexec_file_load kill landlock_restrict_self listen msgctl msgget pidfd_open
          prlimit64 process_mrelease rt_sigqueueinfo sched_getaffinity sched_setaffinity sched_setscheduler
          seccomp sendfile setns setpgid setregid setreuid shmctl shutdown timer_settime timerfd_create
          timerfd_settime tkill
        -2: chmod creat mkdir
        -4: access delete_module fsopen memfd_create pipe2 ppoll setdomainname sethostname swapon symlinkat
          umount2
        444: close_range dup3 epoll_ctl fchown fsmount getsockopt ioprio_set kcmp membarrier pidfd_getfd
          quotactl_fd reboot rt_tgsigqueueinfo semctl semget setpriority setresgid setresuid socket
          socketpair tgkill
        4-2: fchmodat mkdirat
        4-4: bind bpf connect epoll_pwait2 faccessat finit_module fspick getdents getdents64 getxattrat
          inotify_add_watch listxattrat lseek mount_setattr open_by_handle_at open_tree open_tree_attr
          quotactl recvmsg removexattrat renameat sched_setattr semop semtimedop sendmsg setxattrat shmat
          shmget syslog unlinkat wait4
        -24: mknod
        -42: mq_open open
        -44: chown lchown poll
        --4: getrandom ioperm landlock_create_ruleset lsm_list_modules madvise map_shadow_stack mlock2 msync
          readlink
        4444: io_uring_enter
        44-4: fanotify_mark io_uring_register landlock_add_rule pidfd_send_signal tee waitid
        4-24: fchmodat2 mknodat
        4-42: openat
        4-44: epoll_pwait epoll_wait faccessat2 lsm_set_self_attr recvmmsg sched_getattr sendmmsg statx
        4--4: accept4 cachestat fadvise64 lsm_get_self_attr mq_timedsend msgsnd newfstatat readlinkat
          recvfrom signalfd4 sync_file_range utimensat vmsplice
        -444: futex_requeue perf_event_open rseq
        --44: futex_wake
        ---4: listmount listns pkey_mprotect request_key statmount
        444-4: setsockopt
        44--4: fsconfig
        4-444: fchownat
        4-4-4: linkat move_mount renameat2
        4--44: process_madvise
        4---4: execveat file_getattr file_setattr fsetxattr msgrcv name_to_handle_at
        -44-4: futex_waitv
        ----4: add_key lsetxattr setxattr
        4-4--4: copy_file_range splice
        4--4-4: sendto
        4----4: move_pages preadv2 pwritev2
        -44--4: futex
        ---4-4: futex_wait
        -----4: mbind
        """;

    private static final Map<Integer, String> WIDTHS = widths();

    private ArgumentWidths() {}

    /** Bits of an argument that count: 16, 32 or 64. */
    public static int bits(int syscall, int index) {
        String widths = WIDTHS.get(syscall);
        if (widths == null || index >= widths.length()) {
            return 64;
        }
        char bytes = widths.charAt(index);
        return bytes == '-' ? 64 : 8 * (bytes - '0');
    }

    private static Map<Integer, String> widths() {
        Map<Integer, String> widths = new HashMap<>(1024);
        String current = "";
        for (String word : BYTES.strip().split("\\s+", -1)) {
            if (word.endsWith(":")) {
                current = word.substring(0, word.length() - 1);
            } else {
                widths.put(SystemCalls.require(word), current);
            }
        }
        return Map.copyOf(widths);
    }
}
