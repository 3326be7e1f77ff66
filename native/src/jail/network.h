#ifndef JAIL_NETWORK_H
#define JAIL_NETWORK_H

#include "jail.h"

/* Steps of init: loopback up, the host name set, the cgroup entered (v1) and its namespace unshared. */
int network_raise_loopback(struct jail *jail);
int host_set_name(struct jail *jail);
int cgroup_enter(struct jail *jail);

#endif
