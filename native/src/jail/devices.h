/*
 * devices.h - device nodes of the jail's own.
 *
 * A bound node is the host's inode: who watches or locks it meets everybody. A supervisor that is root makes nodes of
 * its own instead, in a tmpfs that becomes the jail's /dev. In a user namespace nobody may make nodes: rootless the
 * host's are bound. Where root may not make them either, they are bound, too, and wire_ready.shared says so.
 */
#ifndef JAIL_DEVICES_H
#define JAIL_DEVICES_H

#include "jail.h"

/* Supervisor, root: 1 when the operation's node is made; 0 when the host's is to be bound. */
int device_make(struct jail *jail, const struct operation *operation);

/* Init: 1 when the operation's node is among those that were made, which stand in the jail then; 0; or -errno. */
int device_take(struct jail *jail, const struct operation *operation);

/* Init: nothing is added to the nodes any more. */
int devices_seal(const struct jail *jail);

#endif
