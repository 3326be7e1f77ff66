/* renew.h - what makes a machine that was restored from a template one of its own. */
#ifndef GUEST_RENEW_H
#define GUEST_RENEW_H

#include "cordon_guest.h"

/* Seeds the random pool, sets clock, host name and machine id. 0, or -errno and *what says which. */
int renew_apply(const struct guest_renew *renew, const char **what);

#endif
