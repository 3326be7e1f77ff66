/* spawn.c - starting the supervisor from inside a JVM: no allocation, no lock and no Java between clone and exec. */
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

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif

struct child {
    const struct cordon_spawn_args *args;
    int error; /* written by the child, read by the parent: they share memory */
};

static int child_fail(struct child *child)
{
    child->error = errno;
    return 127;
}

/* The child: raw system calls only, on a stack of its own, while the calling thread of the JVM sleeps. */
static int child_main(void *opaque)
{
    struct child *child = opaque;
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

static long start(struct child *child, void *stack, int32_t *pidfd)
{
    const struct cordon_spawn_args *args = child->args;
    struct clone_args clone = {
        .flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | CLONE_CLEAR_SIGHAND,
        .pidfd = (uint64_t)(uintptr_t)pidfd,
        .stack = (uint64_t)(uintptr_t)stack,
        .stack_size = STACK_BYTES,
    };
    if (args->cgroup_fd >= 0) {
        clone.flags |= CLONE_INTO_CGROUP;
        clone.cgroup = (uint64_t)args->cgroup_fd;
    }
    return clone_run(&clone, child_main, child);
}

int32_t cordon_spawn(struct cordon_spawn_args *args)
{
    if (args == NULL || args->size != sizeof *args || args->argv0 == NULL) return -EINVAL;
    args->pidfd = -1;
    void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return -errno;

    /* The kernel's own call: libc's would leave its internal signals unblocked. */
    uint64_t all = ~0ULL;
    uint64_t before = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all);
    struct child child = {.args = args, .error = 0};
    int32_t pidfd = -1;
    long pid = start(&child, stack, &pidfd);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    munmap(stack, STACK_BYTES);

    if (pid < 0) return (int32_t)pid;
    if (child.error != 0) {
        siginfo_t ended;
        while (waitid(P_PID, (id_t)pid, &ended, WEXITED | __WALL) < 0 && errno == EINTR) {
        }
        close(pidfd);
        return -child.error;
    }
    args->pidfd = pidfd;
    return (int32_t)pid;
}

int32_t cordon_reap(int32_t pidfd)
{
    siginfo_t ended = {0};
    if (waitid(P_PIDFD, (id_t)pidfd, &ended, WEXITED | WNOHANG | __WALL) < 0) return -errno;
    if (ended.si_pid == 0) return -EAGAIN;
    if (ended.si_code == CLD_EXITED) return ended.si_status << 8;
    return ended.si_status;
}
