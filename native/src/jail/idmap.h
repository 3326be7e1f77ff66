#ifndef JAIL_IDMAP_H
#define JAIL_IDMAP_H

#include "jail.h"

/* Writes the uid and gid maps of init as the plan says. 0, or -errno with jail->detail. */
int idmap_write(struct jail *jail, pid_t init);

#endif
