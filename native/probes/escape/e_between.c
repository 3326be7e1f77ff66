/* e_between.c - channels between jobs and from the host: E-01, E-02, E-04 to E-06. */
#include "places.h"
#include "probe.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define CACHESTAT 451 /* Linux 6.5 */

/* ---- E-01: abstract sockets. Argument: a name that somebody outside listens on ---- */

static void reach_abstract(struct trial *trial)
{
    char datagram[128];
    snprintf(datagram, sizeof datagram, "%s-datagram", argument(trial, 0, "nobody"));
    tell_call(trial, "abstract stream socket", abstract_connect(argument(trial, 0, "nobody"), SOCK_STREAM));
    tell_call(trial, "abstract datagram socket", abstract_connect(datagram, SOCK_DGRAM));
}

/* ---- E-02, C-12: what another job holds, or an earlier one left. Arguments: a name, a number[, plant] ---- */

/* The control plants and searches by itself. A job that plants tells how much it could: the search after it counts on
 * that. */
static void meet(struct trial *trial)
{
    const char *name = argument(trial, 0, "nobody");
    key_t key = (key_t)argument_number(trial, 1, 0x436f7264);
    int planting = strcmp(argument(trial, 2, ""), "plant") == 0;
    for (unsigned i = 0; i < PLACE_COUNT; i++) {
        int planted = trial->control || planting ? PLACES[i].use(name, key, 1) : 0;
        if (planted < 0)
            tell_untried(trial, PLACES[i].name, "nothing can be put there: %s", errno_name(errno));
        else if (planting)
            tell_denied_as(trial, PLACES[i].name, "planted");
        else
            tell_call(trial, PLACES[i].name, PLACES[i].use(name, key, 0));
    }
    if (trial->control) places_clean(name, key);
}

/* ---- E-04: what /proc tells about the host; anything that is not on the accepted list is too much ---- */

static const char *const ACCEPTED[] = {
    "buddyinfo",   "cgroups",      "consoles",    "cpuinfo",   "crypto",   "devices",  "diskstats",  "dma",
    "execdomains", "filesystems",  "iomem",       "ioports",   "loadavg",  "mdstat",   "meminfo",    "misc",
    "mtrr",        "pagetypeinfo", "partitions",  "schedstat", "slabinfo", "softirqs", "stat",       "swaps",
    "uptime",      "version",      "vmallocinfo", "vmstat",    "zoneinfo", "fb",       "bootconfig", "config.gz",
};

struct leak {
    int count;
    char names[256];
};

static int is_accepted(const char *name)
{
    for (size_t i = 0; i < ARRAY_LENGTH(ACCEPTED); i++)
        if (strcmp(ACCEPTED[i], name) == 0) return 1;
    return 0;
}

static int visit_top(void *context, const char *path, const char *name, unsigned char type)
{
    struct leak *leak = context;
    char text[16];
    if (type != DT_REG || is_accepted(name) || strcmp(name, "kmsg") == 0) return 1;
    if (read_text(path, text, sizeof text) <= 0) return 1;
    size_t length = strlen(leak->names);
    if (leak->count++ < 8) snprintf(leak->names + length, sizeof leak->names - length, " %s", name);
    return 1;
}

static void record_leaks(struct trial *trial)
{
    struct leak leak = {0};
    walk("/proc", 0, visit_top, &leak);
    if (leak.count > 0)
        tell_escaped(trial, "files of /proc that are not on the accepted list", "%d:%s", leak.count, leak.names);
    else
        tell_denied_as(trial, "files of /proc that are not on the accepted list", "none");
}

/* ---- E-05: which pages of a shared file others have used. Argument: a directory to make a file in ---- */

enum { READ_NO_WAIT = 0x8, READ_WITHOUT_CACHE = 0x80, FILE_NOT_NEEDED = 4, PAGES_COLD = 20, PAGES_OUT = 21 };

/* EAGAIN is an answer, too: the page is not in memory. Outside, kernels and file systems may lack the flag. */
static void read_with(struct trial *trial, const char *attempt, int fd, long offset, int flag)
{
    char byte;
    struct iovec room = {.iov_base = &byte, .iov_len = 1};
    long got = syscall(SYS_preadv2, fd, &room, 1L, offset, offset < 0 ? -1L : 0L, flag);
    if (got < 0 && trial->control && errno == EOPNOTSUPP)
        tell_untried(trial, attempt, "this kernel does not have it for this file: EOPNOTSUPP");
    else if (got < 0 && errno != EAGAIN)
        tell_denied(trial, attempt, errno);
    else
        tell_escaped(trial, attempt, "it tells that the page is%s in memory", got < 0 ? " not" : "");
}

static void advise(struct trial *trial, const char *attempt, int fd, int advice)
{
    void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    long value = page == MAP_FAILED ? -1 : madvise(page, 4096, advice);
    if (value < 0 && trial->control && errno == EINVAL)
        tell_untried(trial, attempt, "this kernel does not have it: EINVAL");
    else
        tell_call(trial, attempt, value);
    if (page != MAP_FAILED) munmap(page, 4096);
}

static void read_without_waiting(struct trial *trial, int shared)
{
    char path[256];
    int ends[2];
    snprintf(path, sizeof path, "%s/own", argument(trial, 0, "/tmp"));
    int own = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (own < 0 || write(own, "x", 1) != 1 || pipe2(ends, O_CLOEXEC) < 0) {
        tell_untried(trial, "preadv2 of its own file", "%s: %s", path, errno_name(errno));
        return;
    }
    unlink(path);
    read_with(trial, "preadv2(RWF_NOWAIT) of a shared file", shared, 0, READ_NO_WAIT);
    read_with(trial, "preadv2(RWF_DONTCACHE) of a shared file", shared, 0, READ_WITHOUT_CACHE);
    read_with(trial, "preadv2(RWF_NOWAIT) of its own file", own, 0, READ_NO_WAIT);
    /* Whatever lies below the jail's files may lack the flag; pipes have it since Linux 6.4. */
    read_with(trial, "preadv2(RWF_NOWAIT) of a pipe", ends[0], -1, READ_NO_WAIT);
    close(ends[0]);
    close(ends[1]);
    close(own);
}

static void ask_page_cache(struct trial *trial)
{
    uint64_t range[2] = {0, 0}, answer[5];
    int shared = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), own = memfd_create("own", MFD_CLOEXEC);
    tell_call(trial, "cachestat of a shared file", syscall(CACHESTAT, shared, range, answer, 0));
    /* The kernel asks for the right to write; where it has not learnt that yet, only the filter refuses. */
    tell_call(trial, "cachestat of its own file", syscall(CACHESTAT, own, range, answer, 0));
    read_without_waiting(trial, shared);
    tell_call(trial, "fadvise64(DONTNEED) of a shared file", syscall(SYS_fadvise64, shared, 0L, 0L, FILE_NOT_NEEDED));
    advise(trial, "madvise(MADV_COLD) of a shared file", shared, PAGES_COLD);
    advise(trial, "madvise(MADV_PAGEOUT) of a shared file", shared, PAGES_OUT);
    close(shared);
    close(own);
}

/* ---- E-06: traces of an earlier or another job ---- */

struct crowd {
    int others;
    pid_t first;
};

static int visit_other(void *context, const char *path, const char *name, unsigned char type)
{
    struct crowd *crowd = context;
    (void)path;
    if (type != DT_DIR || !isdigit((unsigned char)name[0])) return 1;
    pid_t pid = (pid_t)strtol(name, NULL, 10);
    if (pid != 1 && pid != getpid() && crowd->others++ == 0) crowd->first = pid;
    return 1;
}

static int visit_anything(void *context, const char *path, const char *name, unsigned char type)
{
    struct leak *leak = context;
    (void)path;
    (void)type;
    if (leak->count++ == 0) snprintf(leak->names, sizeof leak->names, "%s", name);
    return 1;
}

/* In a cgroup namespace of its own a process sees itself at the root of every hierarchy. */
static void look_at_cgroup(struct trial *trial)
{
    char text[4096] = "";
    int strange = 0;
    read_text("/proc/self/cgroup", text, sizeof text);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *path = strrchr(line, ':');
        if (path == NULL || strcmp(path, ":/") == 0) continue;
        if (strange++ == 0) tell_escaped(trial, "cgroup", "%s", line);
    }
    if (strange == 0 && trial->control)
        tell_untried(trial, "cgroup", "the harness itself is at the root");
    else if (strange == 0)
        tell_denied_as(trial, "cgroup", "the root of its own");
}

static void look_for_traces(struct trial *trial)
{
    static const char *const DIRECTORIES[] = {"/tmp", "/dev/shm", "/workspace"};
    struct crowd crowd = {0};
    walk("/proc", 0, visit_other, &crowd);
    if (crowd.others > 0)
        tell_escaped(trial, "other processes", "%d, the first is %d", crowd.others, (int)crowd.first);
    else
        tell_denied_as(trial, "other processes", "none");
    struct leak leak = {0};
    for (size_t i = 0; i < (trial->control ? 1 : ARRAY_LENGTH(DIRECTORIES)); i++)
        walk(trial->control ? argument(trial, 0, "/tmp") : DIRECTORIES[i], 0, visit_anything, &leak);
    if (leak.count > 0)
        tell_escaped(trial, "files", "%d, one is %s", leak.count, leak.names);
    else
        tell_denied_as(trial, "files", "none");
    look_at_cgroup(trial);
}

const struct probe E_BETWEEN[] = {
    {"E-01", "abstract sockets", reach_abstract},
    {"C-12", "what an earlier job left", meet},
    {"E-02", "what another job holds", meet},
    {"E-04", "what the host tells of itself", record_leaks},
    {"E-05", "the page cache", ask_page_cache},
    {"E-06", "traces of another job", look_for_traces},
    {NULL, NULL, NULL},
};
