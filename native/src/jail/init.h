#ifndef JAIL_INIT_H
#define JAIL_INIT_H

#include "jail.h"

/* The life of init: waits for its maps, builds the jail around itself, then serves requests. Does not return. */
_Noreturn void init_main(struct jail *jail, int supervisor);

#endif
