#ifndef JAIL_FILES_H
#define JAIL_FILES_H

#include "wire.h"

/*
 * Carries out a FILE request as the job's own user, below /, following no link whatever: the caller gets a
 * descriptor and never has to walk a path that the job can change. *fd is the opened file, or -1.
 */
void files_serve(const struct wire_message *message, struct wire_filed *answer, int *fd);

/* Whether a request that files_serve has opened a file for is answered with a pipe into that file. */
int files_receives(const struct wire_message *message);

/* Writes all of it. 0, or -errno. */
int files_write(int fd, const void *bytes, size_t length);

#endif
