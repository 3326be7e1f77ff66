#ifndef JAIL_NETWORK_H
#define JAIL_NETWORK_H

#include "jail.h"

/* Steps of init: loopback up, the host name set, the cgroup entered (v1) and its namespace unshared. */
int network_raise_loopback(struct jail *jail);

/* In the supervisor of a jail, before its plan is there: making the network namespace takes as long as writing that.
 */
void network_prepare(struct jail *jail);

/* Takes the supervisor to the network namespace that the jail shares with it, when there is one. */
int network_join(struct jail *jail);
int host_set_name(struct jail *jail);
int cgroup_enter(struct jail *jail);

#endif
