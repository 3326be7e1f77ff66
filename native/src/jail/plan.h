/* plan.h - the plan as it arrives in a sealed memfd: checked once, as a whole, before anything is done. */
#ifndef JAIL_PLAN_H
#define JAIL_PLAN_H

#include "cordon_wire.h"

#include <stddef.h>

struct plan {
    const struct plan_header *header;
    const unsigned char *bytes;
    size_t length;
};

/* One operation, its strings in place. `data` is NULL when there is none. */
struct operation {
    const struct plan_op *op;
    const char *path;
    const char *data;
    size_t data_length; /* without the NUL of text */
    uint32_t index;
};

/* Checks the bytes. 0, or -EPROTO with *why set to what is wrong. */
int plan_check(struct plan *plan, const void *bytes, size_t length, const char **why);

/* Maps the sealed memfd and checks it. 0, or -errno. */
int plan_load(struct plan *plan, int fd, const char **why);

/* Whether the operation is about the root itself. */
int plan_is_root(const struct operation *operation);

/* Walks the operations: offset starts at 0; returns 1 with *operation set, 0 at the end. Only after plan_check. */
int plan_next(const struct plan *plan, size_t *offset, struct operation *operation);

#endif
