/* guard.h - what a guarded sandbox ends for beside a tripwire: a burst of refused calls, an attempt to reach the
 * network. */
#ifndef JAIL_GUARD_H
#define JAIL_GUARD_H

#include "cordon_wire.h"

#include <sys/types.h>

#define GUARD_LOOK_NS 100000000u /* how often the network's counters are read while a command runs */

struct guard {
    uint32_t burst; /* 0: the sandbox is not guarded */
    uint32_t refused;
    int begun;
    int counters[2];      /* /proc/PID/net/snmp and snmp6 of the namespace, which outlive init; -1: there is none */
    uint64_t unreachable; /* what the counters said before the first command */
    uint64_t counted[GUARD_WORDS];
};

/* Reads the order. */
int guard_open(struct guard *guard, int fd);

/* Whether a call is one that is counted; the others of the filter are tripwires. */
int guard_counts(const struct guard *guard, int syscall);

/* Whether one more is a burst. */
int guard_burst(struct guard *guard);

/* Remembers where the counters stand, before the first command. 0, or -errno when they cannot be read. */
int guard_begin(struct guard *guard, pid_t init);

/* Whether something in the sandbox tried to reach an address beyond it since then. */
int guard_reached_out(const struct guard *guard);

/* The number below a name in the first two lines of /proc/net/snmp; 0 when there is none. */
uint64_t guard_column(const char *text, const char *wanted);

#endif
