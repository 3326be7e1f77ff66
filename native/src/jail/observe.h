/*
 * observe.h - learning what a trusted command asks of the kernel.
 *
 * The command's process loads a filter that notifies of every call, just before its exec, and sends the listener out;
 * init's own filter has none then (the kernel allows one on a process). The supervisor tells the JVM of each call
 * that differs from those it told of before, and lets it through. Nobody is protected by this filter: the namespaces,
 * the mounts, Landlock, the limits and what init's filter still refuses are what holds the command.
 */
#ifndef JAIL_OBSERVE_H
#define JAIL_OBSERVE_H

#include "cordon_wire.h"

struct observer;

/* Reads the rules out of a sealed memfd. NULL with *error = -errno when they are not in order. */
struct observer *observer_open(int rules, int *error);

/*
 * Takes one pending call off the listener and answers it. 1 when it is of a new kind: *observed tells of it. 0:
 * nothing to tell.
 */
int observer_take(struct observer *observer, int listener, struct wire_observed *observed);

/* To be called once for a listener. */
void observer_attach(int listener);

/*
 * In the command's process: loads the filter, and sends its listener over `control`. Async-signal-safe; the process
 * may make no other call than exec and exit afterwards without waiting for the supervisor. 0, or -errno.
 */
int observed_become(int control);

#endif
