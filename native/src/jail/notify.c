/* notify.c - system calls on the tripwire: named, then refused. */
#include "notify.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

void notify_name(int pid, char *comm, size_t room)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    memset(comm, 0, room);
    SCOPED_FD file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t got = read(file, comm, room - 1);
    if (got > 0 && comm[got - 1] == '\n') comm[got - 1] = 0;
}

/* The last number of "NSsid:": what the innermost pid namespace, the sandbox's, calls the session. */
static pid_t read_session(int pid)
{
    char path[32];
    char text[4096];
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    SCOPED_FD file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t got = read(file, text, sizeof text - 1);
    if (got <= 0) return 0;
    text[got] = 0;
    char *line = strstr(text, "\nNSsid:");
    if (line == NULL) return 0;
    line++;
    line[strcspn(line, "\n")] = 0;
    const char *last = strrchr(line, '\t');
    return last == NULL ? 0 : (pid_t)strtol(last + 1, NULL, 10);
}

int notify_take(int listener, struct notice *notice)
{
    struct seccomp_notif call;
    memset(&call, 0, sizeof call); /* the kernel refuses a used one */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0) return 0;
    *notice = (struct notice){
        .id = call.id,
        .session = read_session((int)call.pid),
        .violation =
            {
                .size = sizeof notice->violation,
                .pid = (int32_t)call.pid,
                .syscall = call.data.nr,
                .arch = call.data.arch,
            },
    };
    notify_name((int)call.pid, notice->violation.comm, sizeof notice->violation.comm);
    /* What was read is the caller's only if the caller is still waiting. */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call.id) == 0) return 1;
    *notice = (struct notice){0};
    return 0;
}

void notify_refuse(int listener, const struct notice *notice)
{
    struct seccomp_notif_resp refusal = {.id = notice->id, .error = -EPERM};
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &refusal); /* ENOENT: it was killed meanwhile */
}
