#ifndef JAIL_LANDLOCK_H
#define JAIL_LANDLOCK_H

#include "jail.h"

/* The step: a second, independent wall around files. Sets jail->landlock_abi; 0 where the kernel has none. */
int landlock_restrict(struct jail *jail);

#endif
