#ifndef JAIL_WATCHES_H
#define JAIL_WATCHES_H

#include "jail.h"

/* The step: where the jail shows inodes of the host's, nothing in it may ask the kernel who else uses them. */
int watches_refuse(struct jail *jail);

#endif
