/* spawn.c - starting programs from inside a JVM: no allocation, no lock and no Java between clone and exec. */
#include "clone.h"
#include "cordon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_BYTES    (64 * 1024)
#define CONTROL_FD     3
#define FIRST_SPARE_FD 16 /* where descriptors wait while 0 to 3 are put in order */
#define START_MAX_FDS  32

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif

/* What the child is to do. It runs raw system calls only, on a stack of its own, while the JVM's thread sleeps. */
struct child {
    int (*main)(struct child *child);
    const void *args;
    int cgroup_fd;
    int error; /* written by the child, read by the parent: they share memory */
};

static int child_fail(struct child *child)
{
    child->error = errno;
    return 127;
}

/* ---- the supervisor ---- */

static int spawn_main(struct child *child)
{
    const struct cordon_spawn_args *args = child->args;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return child_fail(child);
    int program = fcntl(args->exec_fd, F_DUPFD_CLOEXEC, FIRST_SPARE_FD);
    int control = fcntl(args->control_fd, F_DUPFD_CLOEXEC, FIRST_SPARE_FD);
    int messages = fcntl(args->stderr_fd < 0 ? null : args->stderr_fd, F_DUPFD_CLOEXEC, FIRST_SPARE_FD);
    int input = fcntl(null, F_DUPFD_CLOEXEC, FIRST_SPARE_FD);
    if (program < 0 || control < 0 || messages < 0 || input < 0) return child_fail(child);
    if (dup2(input, 0) < 0 || dup2(input, 1) < 0 || dup2(messages, 2) < 0) return child_fail(child);
    if (dup2(control, CONTROL_FD) < 0) return child_fail(child);
    /* A JVM holds many descriptors without close-on-exec. */
    if (syscall(SYS_close_range, CONTROL_FD + 1, ~0U, CLOSE_RANGE_CLOEXEC) < 0) return child_fail(child);
    char *argv[] = {(char *)args->argv0, NULL};
    char *envp[] = {NULL};
    syscall(SYS_execveat, program, "", argv, envp, AT_EMPTY_PATH);
    return child_fail(child);
}

/* ---- any other program ---- */

struct start_args {
    const char *path;
    char *const *argv;
    char *const *envp;
    const int32_t *fds;
    int fd_count;
};

static int start_main(struct child *child)
{
    const struct start_args *args = child->args;
    int spare[START_MAX_FDS];
    for (int i = 0; i < args->fd_count; i++) {
        spare[i] = fcntl(args->fds[i], F_DUPFD_CLOEXEC, START_MAX_FDS);
        if (spare[i] < 0) return child_fail(child);
    }
    for (int i = 0; i < args->fd_count; i++)
        if (dup2(spare[i], i) < 0) return child_fail(child);
    if (syscall(SYS_close_range, args->fd_count, ~0U, CLOSE_RANGE_CLOEXEC) < 0) return child_fail(child);
    setsid();
    uint64_t none = 0;
    if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none) < 0) return child_fail(child);
    execve(args->path, args->argv, args->envp);
    return child_fail(child);
}

/* ---- both ---- */

static int child_enter(void *opaque)
{
    struct child *child = opaque;
    return child->main(child);
}

static long clone_child(struct child *child, void *stack, int32_t *pidfd)
{
    struct clone_args clone = {
        .flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | CLONE_CLEAR_SIGHAND,
        .pidfd = (uint64_t)(uintptr_t)pidfd,
        .stack = (uint64_t)(uintptr_t)stack,
        .stack_size = STACK_BYTES,
    };
    if (child->cgroup_fd >= 0) {
        clone.flags |= CLONE_INTO_CGROUP;
        clone.cgroup = (uint64_t)child->cgroup_fd;
    }
    return clone_run(&clone, child_enter, child);
}

/* Returns the pid and sets *pidfd, or -errno of the clone or of the child's failed exec. */
static int32_t child_start(struct child *child, int32_t *pidfd)
{
    void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return -errno;

    /* The kernel's own call: libc's would leave its internal signals unblocked. */
    uint64_t all = ~0ULL;
    uint64_t before = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all);
    int32_t handle = -1;
    long pid = clone_child(child, stack, &handle);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    munmap(stack, STACK_BYTES);

    if (pid < 0) return (int32_t)pid;
    if (child->error != 0) {
        siginfo_t ended;
        while (waitid(P_PID, (id_t)pid, &ended, WEXITED | __WALL) < 0 && errno == EINTR) {
        }
        close(handle);
        return -child->error;
    }
    *pidfd = handle;
    return (int32_t)pid;
}

int32_t cordon_spawn(struct cordon_spawn_args *args)
{
    if (args == NULL || args->size != sizeof *args || args->argv0 == NULL) return -EINVAL;
    args->pidfd = -1;
    struct child child = {.main = spawn_main, .args = args, .cgroup_fd = args->cgroup_fd};
    return child_start(&child, &args->pidfd);
}

int32_t cordon_start(const char *path, char *const *argv, char *const *envp, const int32_t *fds, uint32_t fd_count,
                     int32_t *pidfd)
{
    if (path == NULL || argv == NULL || envp == NULL || fd_count > START_MAX_FDS) return -EINVAL;
    *pidfd = -1;
    struct start_args args = {.path = path, .argv = argv, .envp = envp, .fds = fds, .fd_count = (int)fd_count};
    struct child child = {.main = start_main, .args = &args, .cgroup_fd = -1};
    return child_start(&child, pidfd);
}

int32_t cordon_reap(int32_t pidfd)
{
    siginfo_t ended = {0};
    if (waitid(P_PIDFD, (id_t)pidfd, &ended, WEXITED | WNOHANG | __WALL) < 0) return -errno;
    if (ended.si_pid == 0) return -EAGAIN;
    if (ended.si_code == CLD_EXITED) return ended.si_status << 8;
    return ended.si_status;
}
