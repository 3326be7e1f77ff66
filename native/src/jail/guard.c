/*
 * guard.c - see guard.h.
 *
 * A jail's network namespace has nothing but its loopback, so that a packet for any other address finds no route. The
 * kernel counts that in the namespace (IpOutNoRoutes, Ip6OutNoRoutes), whatever call the program used: no argument
 * has to be read out of its memory, and nothing that it does meanwhile can hide it.
 */
#include "guard.h"
#include "sys.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int guard_open(struct guard *guard, int fd)
{
    struct guard_order order;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_WRITE)) return -EPROTO;
    if (pread(fd, &order, sizeof order, 0) != (ssize_t)sizeof order || order.burst == 0) return -EPROTO;
    guard->burst = order.burst;
    memcpy(guard->counted, order.counted, sizeof guard->counted);
    return 0;
}

int guard_counts(const struct guard *guard, int syscall)
{
    if (guard->burst == 0 || syscall < 0 || syscall >= OBSERVE_MAX_SYSCALL) return 0;
    return (int)(guard->counted[syscall / 64] >> (syscall % 64)) & 1;
}

int guard_burst(struct guard *guard)
{
    return ++guard->refused >= guard->burst;
}

static int open_counters(pid_t init, const char *name)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/%d/net/%s", init, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* The first page is enough of both files. */
static void read_start(int fd, char *text, size_t room)
{
    ssize_t got = fd < 0 ? 0 : pread(fd, text, room - 1, 0);
    text[got > 0 ? got : 0] = 0;
}

/* "Ip: NAME NAME ...", then "Ip: NUMBER NUMBER ...". */
uint64_t guard_column(const char *text, const char *wanted)
{
    const char *end = strchr(text, '\n');
    const char *name = strchr(text, ' ');
    const char *value = end == NULL ? NULL : strchr(end, ' ');
    size_t length = strlen(wanted);
    while (name != NULL && value != NULL && name < end) {
        name++;
        if (strncmp(name, wanted, length) == 0 && (name[length] == ' ' || name[length] == '\n'))
            return strtoull(value + 1, NULL, 10);
        name = strchr(name, ' ');
        value = strchr(value + 1, ' ');
    }
    return 0;
}

static uint64_t unreachable(const struct guard *guard)
{
    static const char wanted[] = "\nIp6OutNoRoutes";
    char text[4096];
    read_start(guard->counters[0], text, sizeof text);
    uint64_t count = guard_column(text, "OutNoRoutes");
    read_start(guard->counters[1], text, sizeof text);
    const char *line = strstr(text, wanted);
    return line == NULL ? count : count + strtoull(line + sizeof wanted - 1, NULL, 10);
}

/* Opened once: of an init that has ended, as it does at once after its last command, nothing can be opened any more.
 */
int guard_begin(struct guard *guard, pid_t init)
{
    if (guard->burst == 0 || guard->begun) return 0;
    int snmp = open_counters(init, "snmp");
    if (snmp < 0) return snmp;
    guard->counters[0] = snmp;
    guard->counters[1] = open_counters(init, "snmp6"); /* not there without IPv6 */
    guard->unreachable = unreachable(guard);
    guard->begun = 1;
    return 0;
}

int guard_reached_out(const struct guard *guard)
{
    return guard->burst != 0 && guard->begun && unreachable(guard) > guard->unreachable;
}
