#ifndef JAIL_MOUNTS_H
#define JAIL_MOUNTS_H

#include "jail.h"

/* Steps of init, in this order. */
int mounts_make_private(struct jail *jail);
int mounts_make_root(struct jail *jail);
int mounts_apply(struct jail *jail);
int mounts_pivot(struct jail *jail);

#endif
