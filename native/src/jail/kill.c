/* kill.c - ending a sandbox: whatever runs in it, however it got there. */
#include "supervisor.h"
#include "sys.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#define PATIENCE_MS 10000 /* a process may be stuck in the kernel; the control plane must hear of it all the same */

static uint64_t microseconds(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_usec;
}

static void reap_init(struct supervisor *supervisor, struct wire_closed *closed)
{
    struct pollfd ended = {.fd = supervisor->init_pidfd, .events = POLLIN};
    while (poll(&ended, 1, PATIENCE_MS) < 0 && errno == EINTR) {
    }
    struct rusage usage = {0};
    int status = -1;
    if (wait4(supervisor->init, &status, WNOHANG, &usage) != supervisor->init) return;
    *closed = (struct wire_closed){
        .size = sizeof *closed,
        .status = status,
        .user_us = microseconds(usage.ru_utime),
        .system_us = microseconds(usage.ru_stime),
        .max_rss_kib = (uint64_t)usage.ru_maxrss,
    };
}

/* Kills our direct children. Their children come to us when they die: we are their subreaper. */
static int kill_children(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    SCOPED_FD file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[4096];
    ssize_t got = read(file, text, sizeof text - 1);
    if (got <= 0) return 0;
    text[got] = 0;
    int killed = 0;
    for (char *at = text, *end; (end = strchr(at, ' ')) != NULL; at = end + 1) {
        long pid = strtol(at, NULL, 10);
        if (pid > 1 && kill((pid_t)pid, SIGKILL) == 0) killed++;
    }
    return killed;
}

/* Without a pid namespace the processes have no common end: they are hunted until none is left. */
static void hunt_descendants(void)
{
    uint64_t deadline = clock_now() + PATIENCE_MS * 1000000ull;
    for (;;) {
        kill_children();
        pid_t reaped = waitpid(-1, NULL, WNOHANG);
        if (reaped < 0 && errno == ECHILD) return;
        if (clock_now() > deadline) return;
        if (reaped == 0) {
            struct timespec pause = {.tv_nsec = 1000000};
            nanosleep(&pause, NULL);
        }
    }
}

void sandbox_kill(struct supervisor *supervisor, struct wire_closed *closed)
{
    *closed = (struct wire_closed){.size = sizeof *closed, .status = -1};
    if (supervisor->init <= 0) return;
    sys_pidfd_signal(supervisor->init_pidfd, SIGKILL);
    int kill_file = supervisor->jail.cgroup_kill;
    if (kill_file >= 0 && write(kill_file, "1", 1) < 0) close(fd_take(&supervisor->jail.cgroup_kill));
    reap_init(supervisor, closed);
    if (!jail_is_namespaced(&supervisor->jail)) hunt_descendants();
}
