#ifndef JAIL_MOUNTS_H
#define JAIL_MOUNTS_H

#include "jail.h"

/* Steps of init, in this order. */
int mounts_make_private(struct jail *jail);
int mounts_make_root(struct jail *jail);
int mounts_apply(struct jail *jail);
int mounts_pivot(struct jail *jail);

/* Attaches a detached mount below the new root, on a directory or an empty file that is made when it is not there. */
int mounts_attach(struct jail *jail, int mount, const char *path, int directory);

#endif
