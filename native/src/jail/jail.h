/* jail.h - what the steps of the set-up share, on both sides of the clone. */
#ifndef JAIL_JAIL_H
#define JAIL_JAIL_H

#include "plan.h"

#include <sys/types.h>

#define MAX_TASKS 8
#define MAX_SPENT 16

struct jail {
    struct plan plan;
    int control; /* supervisor: the JVM. init: the supervisor */
    int filter;  /* sealed memfds, -1 when absent */
    int job_filter;
    int cgroup;
    int cgroup_kill;
    int cpu_usage;
    int lease;
    int netns;
    int network; /* the supervisor's own network namespace is the jail's: 1 when it is ready, -errno; 0: it is not */
    int observe; /* the rules of a sandbox that learns, else -1 */
    int tasks[MAX_TASKS];
    unsigned task_count;
    int sources[PLAN_MAX_OPS]; /* mount opened for operation i by a supervisor that is root; else -1 */
    int devices;       /* a tmpfs with device nodes, made by a supervisor that is root; else -1. See devices.h */
    int devices_stand; /* init: it is mounted */
    int root;          /* init: the new root */
    int made;          /* init: the tmpfs above the image, when one is laid below the root; else -1 */
    struct layer {
        int fd; /* the overlay; or, when `plain`, the host's directory itself. -1: none */
        int plain;
        const char *path; /* of the host's directory; it stays in the plan */
        size_t length;
    } layer;              /* init: the layer of the last BIND_OWN operation */
    int spent[MAX_SPENT]; /* init: detached mounts that were needed for a while, see layers_leave() */
    unsigned spent_count;
    unsigned placed; /* init: so many mounts were put where they are only needed for a while */
    unsigned shared; /* enum wire_shared */
    struct {
        int fd; /* -1: none */
        const char *path;
        size_t length;
    } parent;  /* init: the directory of the last operation. A mount over it belongs to another one, which replaces it
                */
    int empty; /* init: an empty directory, copied for each that is covered; -1: none yet */
    int null;  /* init: the jail's null device, copied for each file that is covered; -1: not looked at yet */
    int empty_placed; /* init: it is attached, for a kernel that can't have it as a layer otherwise */
    int listener;     /* init: the filter's notification descriptor */
    int signals;      /* init: a signalfd for SIGCHLD */
    unsigned landlock_abi;
    uint32_t operation; /* what the running step is at, for the report */
    const char *detail;
};

/* One step of the set-up: 0, or -errno with jail->operation and jail->detail telling more. */
struct step {
    enum stage stage;
    int (*run)(struct jail *jail);
};

/* Runs the steps in order. 0, or the first failure's -errno with *failed set to its stage. */
int steps_run(const struct step *steps, size_t count, struct jail *jail, enum stage *failed);

/* Sends WIRE_FAILED over the jail's control socket. */
void report_failure(const struct jail *jail, enum stage stage, int error);

static inline int jail_is_namespaced(const struct jail *jail)
{
    return jail->plan.header->isolation == ISOLATION_JAIL;
}

#endif
