/* descriptors.h - how many descriptors the processes of the sandbox have. */
#ifndef JAIL_DESCRIPTORS_H
#define JAIL_DESCRIPTORS_H

#include <stdint.h>

/* The most that one of them has, init left out; 0 where the kernel does not tell (before 6.2). */
uint64_t descriptors_most(void);

#endif
