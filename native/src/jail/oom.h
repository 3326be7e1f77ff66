/* oom.h - who dies first when the host itself is out of memory. */
#ifndef JAIL_OOM_H
#define JAIL_OOM_H

#include "jail.h"

#include <sys/types.h>

/* Raises the score of init, which all processes of the jail inherit. As the host's root for good: nobody inside can
 * lower it again. */
int oom_offer(struct jail *jail, pid_t init);

#endif
