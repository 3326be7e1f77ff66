/*
 * layers.h - what is shown of the host, with inodes of the jail's own.
 *
 * A bind shows the host's inodes: a watch (inotify) in the jail sees who opens them outside, a lock keeps others out.
 * An operation with BIND_OWN is shown through a read-only overlay instead, whose inodes nobody else has. An overlay
 * is one superblock for one directory (the layer) of one jail, made by init in its own user namespace, with an empty
 * directory below, because one layer alone is refused. Several operations that take parts of one layer share it.
 *
 * Kernels differ. From 6.13 layers are given as descriptors; before, by name, of places in init's mount namespace.
 * From about 6.15 a detached mount can be a layer and can be copied in parts; before, it has to be attached first.
 * What is attached for that alone stands on a place that is taken away when the root is sealed.
 *
 * Where no overlay can be made (no overlay file system, mounts below that a user namespace may not uncover, a layer
 * that is itself two overlays deep), the directory is bound as it is, jail->shared says so, and watches.c refuses the
 * calls that would tell of others.
 */
#ifndef JAIL_LAYERS_H
#define JAIL_LAYERS_H

#include "jail.h"

/* A detached mount of what the BIND_OWN operation shows. The descriptor, or -errno. */
int layer_take(struct jail *jail, const struct operation *operation);

/*
 * Lays the layer of the operation, an image, below all that the root has by now: files of the plan's hide the
 * image's, directories show both. The root can't be written to from then on: whatever is mounted later has its place
 * already.
 */
int layer_lay_below(struct jail *jail, const struct operation *operation);

/* A detached mount of an empty directory that can't be written to. The descriptor, or -errno. */
int layers_copy_empty(struct jail *jail);

/* Takes away what was attached for a while. */
int layers_done(struct jail *jail);

/*
 * Leaves the detached mounts that are not needed any more to the old root. The kernel waits for all processors when
 * the last descriptor of one is closed, about a tenth of a millisecond each time; the old root goes with all that
 * stands on it, in one wait.
 */
void layers_leave(struct jail *jail);

#endif
