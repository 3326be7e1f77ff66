/* child.c - processes and namespaces that a probe makes for itself. */
#include "probe.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_SECONDS 5 /* a call that waits is ended by the alarm */

void try_in_child(struct trial *trial, const char *attempt, void (*body)(struct trial *, const void *),
                  const void *data)
{
    pid_t pid = fork();
    if (pid < 0) {
        tell_untried(trial, attempt, "fork: %s", errno_name(errno));
        return;
    }
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        alarm(PATIENCE_SECONDS);
        body(trial, data);
        _exit(0);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFSIGNALED(status)) return;
    if (WTERMSIG(status) == SIGSYS)
        tell_denied_as(trial, attempt, "killed by SIGSYS");
    else
        tell_untried(trial, attempt, "the attempt died of signal %d", WTERMSIG(status));
}

pid_t stand_in(void)
{
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent) _exit(0);
    for (;;)
        pause();
}

void stand_down(pid_t pid)
{
    if (pid <= 1) return;
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

int try_exec(const char *path, char *const *argv)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    pid_t pid = fork();
    if (pid == 0) {
        static char *const none[] = {NULL};
        int null = open("/dev/null", O_RDWR);
        for (int fd = 0; null >= 0 && fd < 3; fd++)
            dup2(null, fd);
        alarm(PATIENCE_SECONDS);
        execve(path, argv, none);
        int error = errno;
        if (write(ends[1], &error, sizeof error) < 0) _exit(1);
        _exit(0);
    }
    close(ends[1]);
    int error = 0;
    ssize_t got = pid < 0 ? -1 : read(ends[0], &error, sizeof error);
    close(ends[0]);
    if (pid < 0) return EAGAIN;
    stand_down(pid);
    return got == (ssize_t)sizeof error ? error : 0;
}

int own_namespaces(int flags)
{
    unsigned uid = geteuid(), gid = getegid();
    char map[32];
    if (unshare(CLONE_NEWUSER | flags) < 0) return -errno;
    if (write_text("/proc/self/setgroups", "deny") < 0) return -errno;
    snprintf(map, sizeof map, "0 %u 1", uid);
    if (write_text("/proc/self/uid_map", map) < 0) return -errno;
    snprintf(map, sizeof map, "0 %u 1", gid);
    return write_text("/proc/self/gid_map", map) < 0 ? -errno : 0;
}
