/* notify.h - system calls on the tripwire. */
#ifndef JAIL_NOTIFY_H
#define JAIL_NOTIFY_H

#include "cordon_wire.h"

#include <sys/types.h>

/* The name that a process goes by, NUL-terminated; empty when it is gone. It chose it itself. */
void notify_name(int pid, char *comm, size_t room);

/* A call that waits for its answer. */
struct notice {
    uint64_t id;
    pid_t session;                   /* of the caller, as the sandbox sees it; 0: unknown */
    struct wire_violation violation; /* size 0: there is none */
};

/* Takes one pending notification of the filter. The caller stays asleep in its call. 1: taken; 0: it went away
 * meanwhile. */
int notify_take(int listener, struct notice *notice);

/* Refuses the call with EPERM; the caller goes on. */
void notify_refuse(int listener, const struct notice *notice);

#endif
