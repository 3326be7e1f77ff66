/*
 * copies.h - content on its way into the sandbox's files.
 *
 * Whoever touches a page of a tmpfs first is charged for it. If the control plane wrote through a descriptor of the
 * file, what comes into a sandbox would be charged to the service and escape the sandbox's memory limit. So the
 * control plane gets a pipe, and init, which sits in the job's cgroup, moves what comes through it. Init does that
 * itself, piece by piece between its other work: a child for it would count as a process of the job, and the job
 * could stop or kill it, being the same user. The kernel kills nobody for the content as long as the control plane
 * sends no more than there is room for.
 */
#ifndef JAIL_COPIES_H
#define JAIL_COPIES_H

#include "wire.h"

#include <poll.h>

#define MOST_COPIES 64
#define COPY_PIECE  65536

struct copy {
    uint32_t id; /* the request's */
    int pipe;    /* the end that is read; 0: this place is free */
    int file;
    uint64_t bytes;
};

struct copies {
    struct copy all[MOST_COPIES];
    unsigned char piece[COPY_PIECE];
};

/* Whether no place is free for another one. */
int copies_full(const struct copies *copies);

/* Takes over `file`, whatever happens. The end of a pipe that is written to, the caller's to close; or -errno. */
int copies_begin(struct copies *copies, uint32_t id, int file);

/* Fills in what is to be polled; at most MOST_COPIES. */
nfds_t copies_watch(const struct copies *copies, struct pollfd *watched);

/* Moves one piece of each that has one, and tells `control` of those that are over. After copies_watch. */
void copies_serve(struct copies *copies, const struct pollfd *watched, int control);

#endif
