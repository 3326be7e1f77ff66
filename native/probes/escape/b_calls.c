/* b_calls.c - calls with a history: namespaces, io_uring, kernel machinery, tracing. B-04 to B-08. */
#include "probe.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Numbers that musl's headers of Debian 12 do not name yet stand as numbers. */
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

/* ---- B-04: clone3 hides its flags behind a pointer ---- */

static void try_clone3(struct trial *trial, const char *attempt, uint64_t flags, size_t size)
{
    struct clone_args args = {.flags = flags, .exit_signal = SIGCHLD};
    long pid = syscall(SYS_clone3, &args, size);
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((pid_t)pid, NULL, 0);
    if (pid < 0 && errno == EPERM && !trial->control)
        tell_escaped(trial, attempt, "EPERM instead of ENOSYS: libc would not fall back to clone");
    else if (pid < 0 && errno != ENOSYS && errno != EPERM)
        tell_escaped(trial, attempt, "the kernel answered %s", errno_name(errno));
    else
        tell_call(trial, attempt, pid);
}

static void clone_hidden(struct trial *trial)
{
    try_clone3(trial, "clone3 plain", 0, sizeof(struct clone_args));
    try_clone3(trial, "clone3 CLONE_NEWUSER", CLONE_NEWUSER, sizeof(struct clone_args));
    try_clone3(trial, "clone3 of no size", 0, 0);
}

/* ---- B-05: namespaces below the jail's own ---- */

static const struct {
    const char *name;
    int flag;
} NAMESPACES[] = {
    {"user", 0},           {"mnt", CLONE_NEWNS},  {"pid", CLONE_NEWPID},       {"net", CLONE_NEWNET},
    {"ipc", CLONE_NEWIPC}, {"uts", CLONE_NEWUTS}, {"cgroup", CLONE_NEWCGROUP}, {"time", CLONE_NEWTIME},
};

struct nested {
    char attempt[96];
    int flags;
};

static void try_unshare(struct trial *trial, const void *data)
{
    const struct nested *nested = data;
    tell_call(trial, nested->attempt, unshare(nested->flags));
}

static void try_clone(struct trial *trial, const void *data)
{
    const struct nested *nested = data;
    long pid = syscall(SYS_clone, (long)nested->flags | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    tell_call(trial, nested->attempt, pid);
}

struct threaded {
    struct trial *trial;
    const struct nested *nested;
};

/* A user namespace needs a single-threaded caller, so the thread asks for the others alone. */
static void *unshare_in_thread(void *data)
{
    const struct threaded *threaded = data;
    tell_call(threaded->trial, threaded->nested->attempt, unshare(threaded->nested->flags));
    return NULL;
}

static void try_thread(struct trial *trial, const void *data)
{
    pthread_t thread;
    struct threaded threaded = {trial, data};
    if (pthread_create(&thread, NULL, unshare_in_thread, &threaded) != 0)
        tell_untried(trial, threaded.nested->attempt, "no thread");
    else
        pthread_join(thread, NULL);
}

/* A bad descriptor: the kernel says EBADF before it looks at privileges. */
static void try_setns(struct trial *trial)
{
    tell_answer(trial, "setns", syscall(SYS_setns, -1, 0));
}

static void nest(struct trial *trial)
{
    for (size_t i = 0; i < ARRAY_LENGTH(NAMESPACES); i++) {
        struct nested nested = {.flags = CLONE_NEWUSER | NAMESPACES[i].flag};
        snprintf(nested.attempt, sizeof nested.attempt, "unshare %s", NAMESPACES[i].name);
        try_in_child(trial, nested.attempt, try_unshare, &nested);
        if (NAMESPACES[i].flag == CLONE_NEWTIME) continue; /* clone has no bit for it */
        snprintf(nested.attempt, sizeof nested.attempt, "clone %s", NAMESPACES[i].name);
        try_in_child(trial, nested.attempt, try_clone, &nested);
    }
    struct nested from_thread = {.attempt = "unshare uts from a thread", .flags = CLONE_NEWUTS};
    try_in_child(trial, from_thread.attempt, try_thread, &from_thread);
    try_setns(trial);
    /* After an exec: the limits and the filter have to be inherited. */
    if (argument(trial, 0, "")[0] != 0) return;
    char *const argv[] = {"cordon-probes", (char *)trial->id, "again", NULL};
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        execv("/proc/self/exe", argv);
        _exit(EXIT_UNTRIED);
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DENIED)
        tell_denied_as(trial, "after exec", "the same again");
    else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_ESCAPED)
        tell_escaped(trial, "after exec", "a namespace was made");
    else
        tell_untried(trial, "after exec", "wait status %d", status);
}

/* ---- B-06, B-07: kernel machinery, each call with something that the kernel can't like ---- */

struct bad_call {
    const char *name;
    long number;
    long arguments[5];
};

static const struct bad_call IO_URING[] = {
    {"io_uring_setup", SYS_io_uring_setup, {1, -1}},
    {"io_uring_enter", SYS_io_uring_enter, {-1, 0, 0, 0, 0}},
    {"io_uring_register", SYS_io_uring_register, {-1, 0, 0, 0}},
};

static const struct bad_call MACHINERY[] = {
    {"bpf", SYS_bpf, {0, -1, 64}},
    {"perf_event_open", SYS_perf_event_open, {-1, 0, -1, -1, 0}},
    {"userfaultfd", SYS_userfaultfd, {-1}},
    {"kexec_load", SYS_kexec_load, {0, 0, 0, 0xffff}},
    {"kexec_file_load", SYS_kexec_file_load, {-1, -1, 0, 0, 0xffff}},
    {"init_module", SYS_init_module, {-1, 0, -1}},
    {"finit_module", SYS_finit_module, {-1, -1, 0xffff}},
    {"delete_module", SYS_delete_module, {-1, 0}},
    {"fanotify_init", SYS_fanotify_init, {-1, 0}},
    {"fanotify_mark", SYS_fanotify_mark, {-1, 0, 0, -1, 0}},
    {"open_by_handle_at", SYS_open_by_handle_at, {-1, -1, 0}},
    {"name_to_handle_at", SYS_name_to_handle_at, {-1, -1, -1, -1, -1}},
    {"lsm_get_self_attr", 459, {0, 0, -1, 0xffff}},
    {"lsm_list_modules", 461, {-1, -1, 0xffff}},
    {"quotactl", SYS_quotactl, {-1, -1, 0, 0}},
    {"quotactl_fd", 443, {-1, -1, 0, 0}},
    {"fsopen", SYS_fsopen, {-1, 0}},
    {"fsconfig", SYS_fsconfig, {-1, 0, 0, 0, 0}},
    {"fsmount", SYS_fsmount, {-1, 0, 0}},
    {"fspick", SYS_fspick, {-1, -1, 0}},
    {"open_tree", SYS_open_tree, {-1, -1, 0}},
    {"move_mount", SYS_move_mount, {-1, -1, -1, -1, 0}},
    {"mount_setattr", SYS_mount_setattr, {-1, -1, 0, -1, 0}},
    {"mount", SYS_mount, {-1, -1, -1, 0, 0}},
    {"umount2", SYS_umount2, {-1, 0xffff}},
    {"pivot_root", SYS_pivot_root, {-1, -1}},
    {"chroot", SYS_chroot, {-1}},
    {"swapon", SYS_swapon, {-1, 0}},
    {"swapoff", SYS_swapoff, {-1}},
    {"reboot", SYS_reboot, {-1, -1, -1, -1}},
    {"acct", SYS_acct, {-1}},
    {"syslog", SYS_syslog, {-1, -1, -1}},
    {"iopl", SYS_iopl, {-1}},
    {"ioperm", SYS_ioperm, {-1, -1, -1}},
    {"settimeofday", SYS_settimeofday, {-1, -1}},
    {"clock_settime", SYS_clock_settime, {-1, -1}},
    {"sethostname", SYS_sethostname, {-1, -1}},
    {"setdomainname", SYS_setdomainname, {-1, -1}},
    {"memfd_secret", 447, {-1}},
};

static void make_call(struct trial *trial, const void *data)
{
    const struct bad_call *call = data;
    const long *a = call->arguments;
    tell_answer(trial, call->name, syscall(call->number, a[0], a[1], a[2], a[3], a[4]));
}

static void use_io_uring(struct trial *trial)
{
    for (size_t i = 0; i < ARRAY_LENGTH(IO_URING); i++)
        try_in_child(trial, IO_URING[i].name, make_call, &IO_URING[i]);
}

static void use_machinery(struct trial *trial)
{
    for (size_t i = 0; i < ARRAY_LENGTH(MACHINERY); i++)
        try_in_child(trial, MACHINERY[i].name, make_call, &MACHINERY[i]);
}

/* ---- B-08: tracing, even of one's own children ---- */

static void trace_me(struct trial *trial, const void *unused)
{
    (void)unused;
    tell_call(trial, "ptrace of itself", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static void trace(struct trial *trial)
{
    static char word[8];
    struct iovec here = {word, sizeof word};
    pid_t child = stand_in();
    try_in_child(trial, "ptrace of itself", trace_me, NULL);
    tell_call(trial, "ptrace of a child", ptrace(PTRACE_SEIZE, child, NULL, NULL));
    tell_call(trial, "process_vm_readv", syscall(SYS_process_vm_readv, child, &here, 1, &here, 1, 0));
    tell_call(trial, "process_vm_writev", syscall(SYS_process_vm_writev, child, &here, 1, &here, 1, 0));
    int pidfd = (int)syscall(SYS_pidfd_open, child, 0);
    tell_call(trial, "pidfd_getfd", syscall(SYS_pidfd_getfd, pidfd, 1, 0));
    tell_call(trial, "kcmp", syscall(SYS_kcmp, getpid(), child, 0, 1, 1));
    stand_down(child);
}

const struct probe B_CALLS[] = {
    {"B-04", "clone3", clone_hidden},     {"B-05", "nested namespaces", nest},
    {"B-06", "io_uring", use_io_uring},   {"B-07", "kernel machinery", use_machinery},
    {"B-08", "tracing processes", trace}, {NULL, NULL, NULL},
};
