/* notify.c - system calls on the tripwire: named, then refused. */
#include "notify.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

static void read_comm(int pid, char *comm, size_t room)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    memset(comm, 0, room);
    SCOPED_FD file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t got = read(file, comm, room - 1);
    if (got > 0 && comm[got - 1] == '\n') comm[got - 1] = 0;
}

int notify_take(int listener, int kill, struct wire_violation *violation)
{
    struct seccomp_notif call;
    memset(&call, 0, sizeof call); /* the kernel refuses a used one */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0) return 0;
    *violation = (struct wire_violation){
        .size = sizeof *violation,
        .pid = (int32_t)call.pid,
        .syscall = call.data.nr,
        .arch = call.data.arch,
        .killed = (uint32_t)kill,
    };
    read_comm((int)call.pid, violation->comm, sizeof violation->comm);
    /* The name is that of the caller only if the caller is still waiting. */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call.id) < 0) return 0;
    if (!kill) {
        struct seccomp_notif_resp refusal = {.id = call.id, .error = -EPERM};
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &refusal) < 0 && errno != ENOENT) return 0;
    }
    return 1;
}
