#ifndef JAIL_SOURCES_H
#define JAIL_SOURCES_H

#include "jail.h"

int source_is_bind(const struct operation *operation);

/* Opens a path of the host, O_PATH, following no link: the first `length` bytes of `path`. */
int source_find(const char *path, size_t length);

/* A detached copy of the mounts at `path`, an O_PATH descriptor, restricted as the operation says. */
int source_copy(int path, const struct operation *operation);

/* Opens the operation's host path as a detached, restricted copy of its mounts. The descriptor, or -errno. */
int source_open(const struct operation *operation);

/* The step: a supervisor that is root opens all of them, because init will not have root's rights any more. */
int sources_open(struct jail *jail);

void sources_close(struct jail *jail);

#endif
