package dev.cordon.seccomp;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Names and numbers of the system calls of x86_64, as Linux 7.0 has them. The numbers are part of the kernel's promise and never change; a
 * table of our own knows calls that are younger than the host's libseccomp, and reads a profile without native code.
 */
public final class SystemCalls {
    /** Names in the order of their numbers; a number stands before the first name after a gap. */
    private static final String X86_64 = """
        read write open close stat fstat lstat poll lseek mmap mprotect munmap brk rt_sigaction
        rt_sigprocmask rt_sigreturn ioctl pread64 pwrite64 readv writev access pipe select sched_yield
        mremap msync mincore madvise shmget shmat shmctl dup dup2 pause nanosleep getitimer alarm setitimer
        getpid sendfile socket connect accept sendto recvfrom sendmsg recvmsg shutdown bind listen
        getsockname getpeername socketpair setsockopt getsockopt clone fork vfork execve exit wait4 kill
        uname semget semop semctl shmdt msgget msgsnd msgrcv msgctl fcntl flock fsync fdatasync truncate
        ftruncate getdents getcwd chdir fchdir rename mkdir rmdir creat link unlink symlink readlink chmod
        fchmod chown fchown lchown umask gettimeofday getrlimit getrusage sysinfo times ptrace getuid syslog
        getgid setuid setgid geteuid getegid setpgid getppid getpgrp setsid setreuid setregid getgroups
        setgroups setresuid getresuid setresgid getresgid getpgid setfsuid setfsgid getsid capget capset
        rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_sigsuspend sigaltstack utime mknod uselib
        personality ustat statfs fstatfs sysfs getpriority setpriority sched_setparam sched_getparam
        sched_setscheduler sched_getscheduler sched_get_priority_max sched_get_priority_min
        sched_rr_get_interval mlock munlock mlockall munlockall vhangup modify_ldt pivot_root _sysctl prctl
        arch_prctl adjtimex setrlimit chroot sync acct settimeofday mount umount2 swapon swapoff reboot
        sethostname setdomainname iopl ioperm create_module init_module delete_module get_kernel_syms
        query_module quotactl nfsservctl getpmsg putpmsg afs_syscall tuxcall security gettid readahead
        setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
        removexattr lremovexattr fremovexattr tkill time futex sched_setaffinity sched_getaffinity
        set_thread_area io_setup io_destroy io_getevents io_submit io_cancel get_thread_area lookup_dcookie
        epoll_create epoll_ctl_old epoll_wait_old remap_file_pages getdents64 set_tid_address
        restart_syscall semtimedop fadvise64 timer_create timer_settime timer_gettime timer_getoverrun
        timer_delete clock_settime clock_gettime clock_getres clock_nanosleep exit_group epoll_wait
        epoll_ctl tgkill utimes vserver mbind set_mempolicy get_mempolicy mq_open mq_unlink mq_timedsend
        mq_timedreceive mq_notify mq_getsetattr kexec_load waitid add_key request_key keyctl ioprio_set
        ioprio_get inotify_init inotify_add_watch inotify_rm_watch migrate_pages openat mkdirat mknodat
        fchownat futimesat newfstatat unlinkat renameat linkat symlinkat readlinkat fchmodat faccessat
        pselect6 ppoll unshare set_robust_list get_robust_list splice tee sync_file_range vmsplice
        move_pages utimensat epoll_pwait signalfd timerfd_create eventfd fallocate timerfd_settime
        timerfd_gettime accept4 signalfd4 eventfd2 epoll_create1 dup3 pipe2 inotify_init1 preadv pwritev
        rt_tgsigqueueinfo perf_event_open recvmmsg fanotify_init fanotify_mark prlimit64 name_to_handle_at
        open_by_handle_at clock_adjtime syncfs sendmmsg setns getcpu process_vm_readv process_vm_writev kcmp
        finit_module sched_setattr sched_getattr renameat2 seccomp getrandom memfd_create kexec_file_load
        bpf execveat userfaultfd membarrier mlock2 copy_file_range preadv2 pwritev2 pkey_mprotect pkey_alloc
        pkey_free statx io_pgetevents rseq uretprobe uprobe 424 pidfd_send_signal io_uring_setup
        io_uring_enter io_uring_register open_tree move_mount fsopen fsconfig fsmount fspick pidfd_open
        clone3 close_range openat2 pidfd_getfd faccessat2 process_madvise epoll_pwait2 mount_setattr
        quotactl_fd landlock_create_ruleset landlock_add_rule landlock_restrict_self memfd_secret
        process_mrelease futex_waitv set_mempolicy_home_node cachestat fchmodat2 map_shadow_stack futex_wake
        futex_wait futex_requeue statmount listmount lsm_get_self_attr lsm_set_self_attr lsm_list_modules
        mseal setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr
        listns rseq_slice_yield
        """;

    /** Calls of other architectures alone: a profile for several machines names them, and means nothing here. */
    private static final String ELSEWHERE = """
        _llseek _newselect arm_fadvise64_64 arm_sync_file_range atomic_barrier atomic_cmpxchg_32 bdflush
        break breakpoint cachectl cacheflush chown32 clock_adjtime64 clock_getres_time64 clock_gettime64
        clock_nanosleep_time64 clock_settime64 fadvise64_64 fchown32 fcntl64 fstat64 fstatat64 fstatfs64
        ftime ftruncate64 futex_time64 get_tls getegid32 geteuid32 getgid32 getgroups32 getpagesize
        getresgid32 getresuid32 getuid32 gtty idle io_pgetevents_time64 ipc lchown32 lock lstat64 mmap2 mpx
        mq_timedreceive_time64 mq_timedsend_time64 multiplexer nice oldfstat oldlstat oldolduname oldstat
        olduname pciconfig_iobase pciconfig_read pciconfig_write ppoll_time64 prof profil pselect6_time64
        readdir recv recvmmsg_time64 riscv_flush_icache riscv_hwprobe rt_sigtimedwait_time64 rtas
        s390_guarded_storage s390_pci_mmio_read s390_pci_mmio_write s390_runtime_instr s390_sthyi
        sched_rr_get_interval_time64 semtimedop_time64 send sendfile64 set_tls setfsgid32 setfsuid32
        setgid32 setgroups32 setregid32 setresgid32 setresuid32 setreuid32 setuid32 sgetmask sigaction
        signal sigpending sigprocmask sigreturn sigsuspend socketcall spu_create spu_run ssetmask stat64
        statfs64 stime stty subpage_prot swapcontext switch_endian sync_file_range2 sys_debug_setcontext
        syscall sysmips timer_gettime64 timer_settime64 timerfd timerfd_gettime64 timerfd_settime64
        truncate64 ugetrlimit ulimit umount usr26 usr32 utimensat_time64 vm86 vm86old waitpid
        """;

    private static final Map<String, Integer> NUMBERS = numbers();
    private static final Map<Integer, String> NAMES = names();
    private static final Set<String> FOREIGN = Set.of(ELSEWHERE.strip().split("\\s+", -1));

    private SystemCalls() {}

    /** The number of a call on x86_64. */
    public static OptionalInt number(String name) {
        Integer number = NUMBERS.get(name);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** The name of a call on x86_64. */
    public static Optional<String> name(int number) {
        return Optional.ofNullable(NAMES.get(number));
    }

    /** All calls of x86_64, by name. */
    public static Map<String, Integer> all() {
        return NUMBERS;
    }

    /** Whether a name is a call of other architectures only. */
    public static boolean isForeign(String name) {
        return FOREIGN.contains(name);
    }

    /** The number of a call that this code itself names. */
    public static int require(String name) {
        return number(name).orElseThrow(() -> new IllegalArgumentException("no system call is named " + name));
    }

    private static Map<String, Integer> numbers() {
        Map<String, Integer> numbers = new HashMap<>(1024);
        int next = 0;
        for (String word : X86_64.strip().split("\\s+", -1)) {
            if (Character.isDigit(word.charAt(0))) {
                next = Integer.parseInt(word);
            } else {
                numbers.put(word, next++);
            }
        }
        return Map.copyOf(numbers);
    }

    private static Map<Integer, String> names() {
        Map<Integer, String> names = new HashMap<>(1024);
        NUMBERS.forEach((name, number) -> names.put(number, name));
        return Map.copyOf(names);
    }
}
