#ifndef JAIL_FILES_H
#define JAIL_FILES_H

#include "wire.h"

/*
 * Carries out a FILE request as the job's own user, below /, following no link whatever: the caller gets a
 * descriptor and never has to walk a path that the job can change. *fd is the opened file, or -1.
 */
void files_serve(const struct wire_message *message, struct wire_filed *answer, int *fd);

#endif
