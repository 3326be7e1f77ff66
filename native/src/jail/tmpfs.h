#ifndef JAIL_TMPFS_H
#define JAIL_TMPFS_H

#include "jail.h"

struct tmpfs {
    uint64_t bytes; /* neither may be 0: that is unlimited to the kernel */
    uint64_t inodes;
    uint32_t mode;
    unsigned attributes; /* MOUNT_ATTR_* */
    int owned;           /* by uid and gid; else by whoever mounts it */
    uint32_t uid;
    uint32_t gid;
};

/* A detached tmpfs. The descriptor, or -errno. */
int tmpfs_make(const struct tmpfs *wanted);

/* An empty directory that can't be written to; all of a jail are copies of the first, jail->empty. */
int tmpfs_empty(struct jail *jail);

#endif
