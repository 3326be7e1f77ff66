/* ground.h - the cgroup that the sandbox in this machine stands on. */
#ifndef GUEST_GROUND_H
#define GUEST_GROUND_H

#include "cordon_guest.h"

/* Makes the cgroup when there is none, and sets its limits; each is read back. 0, or -errno and *what says which
 * limit. */
int ground_make(const struct guest_ground *limits, const char **what);

/* Takes the cgroup away again; nothing may be in it. 0, or -errno. */
int ground_remove(void);

struct ground_handle {
    enum wire_role role;
    int fd;
};

#define GROUND_HANDLES 3

/* Opens what the supervisor needs of it; the caller closes the descriptors. 0, or -errno. */
int ground_open(struct ground_handle handles[GROUND_HANDLES]);

void ground_usage(struct guest_usage *usage);

/* Stops or resumes everything in the cgroup, and waits until the kernel says so. 0, or -errno. */
int ground_freeze(int frozen);

/* Kills everything in the cgroup. */
void ground_kill(void);

#endif
