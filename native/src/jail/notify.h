#ifndef JAIL_NOTIFY_H
#define JAIL_NOTIFY_H

#include "cordon_wire.h"

/*
 * Takes one pending notification of the filter and tells what was tried. Refuses it with EPERM unless `kill`: then
 * the caller stays asleep in its call until it is killed. 1: told; 0: it went away meanwhile.
 */
int notify_take(int listener, int kill, struct wire_violation *violation);

#endif
