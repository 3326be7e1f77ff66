/* a_handles.c - descriptors, working directory and the runner's own processes. */
#include "probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define HIGHEST_FD 4096

/* ---- descriptors that a launcher left open ---- */

/* What a careless launcher would leave: a directory, a socket, memory, a process, a device. */
static void leak_descriptors(void)
{
    int pair[2];
    open("/", O_RDONLY | O_DIRECTORY);
    open("/dev/null", O_RDWR);
    syscall(SYS_memfd_create, "leak", 0);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) return;
    int pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (pidfd >= 0) fcntl(pidfd, F_SETFD, 0);
}

static void count_descriptors(struct trial *trial)
{
    if (trial->control) leak_descriptors();
    int found = 0;
    for (int fd = 3; fd < HIGHEST_FD; fd++) {
        if (fcntl(fd, F_GETFD) < 0) continue;
        char link[32], target[256] = "?";
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(link, target, sizeof target - 1);
        if (length > 0) target[length] = 0;
        if (found++ == 0) tell_escaped(trial, "descriptors above 2", "descriptor %d is %s", fd, target);
    }
    if (found == 0) tell_denied_as(trial, "descriptors above 2", "none is open");
}

/* ---- a working directory outside the root ---- */

static void look_around(struct trial *trial, const void *unused)
{
    (void)unused;
    /* The control: a root below the working directory, as from a launcher that forgets to go there. */
    if (trial->control && (own_namespaces(0) < 0 || chdir("/") < 0 || chroot(argument(trial, 0, "/usr")) < 0)) {
        tell_denied(trial, "working directory", errno);
        return;
    }
    char where[4096] = "";
    long length = syscall(SYS_getcwd, where, sizeof where);
    if (length < 0)
        tell_escaped(trial, "working directory", "it has no path: %s", errno_name(errno));
    else if (where[0] != '/')
        tell_escaped(trial, "working directory", "it lies outside the root: %s", where);
    else
        tell_denied_as(trial, "working directory", "it lies below the root: %s", where);
}

static void check_directory(struct trial *trial)
{
    try_in_child(trial, "working directory", look_around, NULL);
}

/* ---- whoever runs us ---- */

/* The processes that started this one: in a sandbox pid 1 and the parent, outside a stand-in of our own. */
static size_t runners(const struct trial *trial, pid_t *pids)
{
    if (trial->control) {
        pids[0] = stand_in();
        return pids[0] > 0 ? 1 : 0;
    }
    pids[0] = 1;
    pids[1] = getppid();
    return pids[1] > 1 ? 2 : 1;
}

static const char *name_runner(const struct trial *trial, size_t index)
{
    return trial->control || index == 0 ? "init" : "the parent";
}

static void try_open(struct trial *trial, pid_t pid, const char *who, const char *file, int flags, const char *how)
{
    char path[64], attempt[96];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    snprintf(attempt, sizeof attempt, "%s %s of %s", how, file, who);
    int fd = open(path, flags | O_CLOEXEC);
    /* A program that runs is never opened for writing; whoever can read it waits for its end. */
    if (fd < 0 && errno == ETXTBSY && trial->control)
        tell_untried(trial, attempt, "it runs: the kernel refuses that to everybody");
    else
        tell_call(trial, attempt, fd);
    if (fd >= 0) close(fd);
}

static void try_execute(struct trial *trial, pid_t pid, const char *who)
{
    char path[64], attempt[96];
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    snprintf(attempt, sizeof attempt, "execute exe of %s", who);
    char *const argv[] = {"cordon-probes", "list", NULL};
    int error = try_exec(path, argv);
    errno = error;
    tell_call(trial, attempt, error == 0 ? 0 : -1);
}

static void take_program(struct trial *trial)
{
    pid_t pids[2];
    size_t count = runners(trial, pids);
    for (size_t i = 0; i < count; i++) {
        const char *who = name_runner(trial, i);
        try_open(trial, pids[i], who, "exe", O_RDONLY, "read");
        try_open(trial, pids[i], who, "exe", O_PATH, "hold");
        try_open(trial, pids[i], who, "exe", O_WRONLY, "write");
        try_execute(trial, pids[i], who);
    }
    if (trial->control && count > 0) stand_down(pids[0]);
}

static void try_memory(struct trial *trial, pid_t pid, const char *who)
{
    static char word[8];
    struct iovec here = {word, sizeof word};
    char attempt[96];
    snprintf(attempt, sizeof attempt, "process_vm_readv of %s", who);
    long got = syscall(SYS_process_vm_readv, pid, &here, 1, &here, 1, 0);
    if (got < 0 && errno == EFAULT) got = 0; /* allowed, but for the address */
    tell_call(trial, attempt, got);
    snprintf(attempt, sizeof attempt, "process_vm_writev of %s", who);
    got = syscall(SYS_process_vm_writev, pid, &here, 1, &here, 1, 0);
    if (got < 0 && errno == EFAULT) got = 0;
    tell_call(trial, attempt, got);
}

static void try_descriptors(struct trial *trial, pid_t pid, const char *who)
{
    char attempt[96];
    snprintf(attempt, sizeof attempt, "pidfd_getfd of %s", who);
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    long taken = pidfd < 0 ? -1 : syscall(SYS_pidfd_getfd, pidfd, 0, 0);
    tell_call(trial, attempt, taken);
    if (taken >= 0) close((int)taken);
    if (pidfd >= 0) close(pidfd);
}

static void take_over(struct trial *trial)
{
    static const struct {
        const char *file;
        int flags;
        const char *how;
    } FILES[] = {
        {"mem", O_RDWR, "write"},
        {"mem", O_RDONLY, "read"},
        {"environ", O_RDONLY, "read"},
        {"maps", O_RDONLY, "read"},
        {"fd", O_RDONLY | O_DIRECTORY, "list"},
        {"root", O_RDONLY | O_DIRECTORY, "enter"},
        {"cwd", O_RDONLY | O_DIRECTORY, "enter"},
        {"ns/mnt", O_RDONLY, "hold"},
    };
    pid_t pids[2];
    size_t count = runners(trial, pids);
    for (size_t i = 0; i < count; i++) {
        const char *who = name_runner(trial, i);
        for (size_t f = 0; f < ARRAY_LENGTH(FILES); f++)
            try_open(trial, pids[i], who, FILES[f].file, FILES[f].flags, FILES[f].how);
        try_memory(trial, pids[i], who);
        try_descriptors(trial, pids[i], who);
        char attempt[96];
        snprintf(attempt, sizeof attempt, "ptrace of %s", who);
        tell_call(trial, attempt, ptrace(PTRACE_SEIZE, pids[i], NULL, NULL));
    }
    if (trial->control && count > 0) stand_down(pids[0]);
}

const struct probe A_HANDLES[] = {
    {"A-01", "descriptors of the launcher", count_descriptors},
    {"A-02", "working directory outside the root", check_directory},
    {"A-03", "the runner's program through /proc", take_program},
    {"A-04", "taking over init", take_over},
    {NULL, NULL, NULL},
};
