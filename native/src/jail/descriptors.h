/* descriptors.h - which processes of the sandbox have all the descriptors that they may. */
#ifndef JAIL_DESCRIPTORS_H
#define JAIL_DESCRIPTORS_H

#include <stdint.h>

/*
 * Calls `full` with the limit of each process that has as many descriptors as that; init is left out. Processes with
 * fewer than `least` are not looked at closely. One that hides from /proc is not seen.
 */
void descriptors_look(uint64_t least, void (*full)(void *context, uint64_t limit), void *context);

#endif
