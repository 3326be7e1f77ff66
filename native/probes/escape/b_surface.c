/* b_surface.c - socket families, personalities, the filter's reach, calls of the future: B-09 to B-13. */
#include "probe.h"

#include <dirent.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- B-09: socket families ---- */

#define FAMILIES 65

/* The first type that the kernel makes a socket of, or the errno of the last that it refused. */
static int try_family(int family)
{
    static const int TYPES[] = {SOCK_RAW, SOCK_DGRAM, SOCK_STREAM, SOCK_SEQPACKET};
    int error = EPERM;
    for (size_t i = 0; i < ARRAY_LENGTH(TYPES); i++) {
        int fd = socket(family, TYPES[i] | SOCK_CLOEXEC, 0);
        if (fd >= 0) {
            close(fd);
            return 0;
        }
        if (errno != ESOCKTNOSUPPORT && errno != EPROTONOSUPPORT) error = errno;
    }
    return error;
}

static void open_families(struct trial *trial)
{
    for (int family = 0; family < FAMILIES; family++) {
        if (family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue; /* B-15 */
        char attempt[32];
        snprintf(attempt, sizeof attempt, "family %d", family);
        int error = try_family(family);
        errno = error == EINVAL ? EAFNOSUPPORT : error;
        tell_call(trial, attempt, error == 0 ? 0 : -1);
    }
    static const struct {
        const char *name;
        int type, protocol;
    } INTERNET[] = {{"raw IPv4", SOCK_RAW, 255}, {"ping IPv4", SOCK_DGRAM, 1},  {"SCTP", SOCK_STREAM, 132},
                    {"MPTCP", SOCK_STREAM, 262}, {"UDP-Lite", SOCK_DGRAM, 136}, {"DCCP", 6, 33}};
    for (size_t i = 0; i < ARRAY_LENGTH(INTERNET); i++) {
        int fd = socket(AF_INET, INTERNET[i].type | SOCK_CLOEXEC, INTERNET[i].protocol);
        if (fd < 0 && errno == EACCES && trial->control)
            tell_untried(trial, INTERNET[i].name, "net.ipv4.ping_group_range leaves this user out");
        else
            tell_call(trial, INTERNET[i].name, fd);
        if (fd >= 0) close(fd);
    }
}

/* ---- B-10: personalities and segment descriptors ---- */

static void try_personality(struct trial *trial, const void *data)
{
    const unsigned long *wanted = data;
    char attempt[48];
    snprintf(attempt, sizeof attempt, "personality %#lx", *wanted);
    tell_call(trial, attempt, syscall(SYS_personality, *wanted));
}

static void try_ldt(struct trial *trial, const void *unused)
{
    (void)unused;
    tell_answer(trial, "modify_ldt", syscall(SYS_modify_ldt, 99, 0, 0));
}

static void change_personality(struct trial *trial)
{
    static const unsigned long WANTED[] = {READ_IMPLIES_EXEC, ADDR_NO_RANDOMIZE, 0x40000000, MMAP_PAGE_ZERO};
    for (size_t i = 0; i < ARRAY_LENGTH(WANTED); i++)
        try_in_child(trial, "personality", try_personality, &WANTED[i]);
    try_in_child(trial, "modify_ldt", try_ldt, NULL);
}

/* ---- B-12: the filter is on every thread, and nobody can put another on top ---- */

static void *wait_for_end(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

static int thread_is_filtered(const char *id)
{
    char path[300], text[32];
    snprintf(path, sizeof path, "/proc/self/task/%s/status", id);
    if (status_field(path, "Seccomp", text, sizeof text) < 0 || strcmp(text, "2") != 0) return 0;
    if (status_field(path, "NoNewPrivs", text, sizeof text) < 0 || strcmp(text, "1") != 0) return 0;
    return status_field(path, "Seccomp_filters", text, sizeof text) == 0 && strtol(text, NULL, 10) >= 1;
}

static void compare_threads(struct trial *trial)
{
    int threads = 0, filtered = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        threads++;
        filtered += thread_is_filtered(entry->d_name);
    }
    if (tasks != NULL) closedir(tasks);
    if (threads > 1 && threads == filtered)
        tell_denied_as(trial, "threads without the filter", "all %d have it", threads);
    else
        tell_escaped(trial, "threads without the filter", "%d of %d", threads - filtered, threads);
}

static void check_threads(struct trial *trial)
{
    static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[4];
    size_t count = 0;
    pthread_mutex_lock(&gate);
    while (count < ARRAY_LENGTH(threads) && pthread_create(&threads[count], NULL, wait_for_end, &gate) == 0)
        count++;
    compare_threads(trial);
    pthread_mutex_unlock(&gate);
    while (count > 0)
        pthread_join(threads[--count], NULL);
    tell_answer(trial, "a filter of its own by seccomp", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, -1L));
    tell_answer(trial, "a filter of its own by prctl", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, -1L, 0, 0));
}

/* ---- B-13: calls that are newer than the profile, or that nobody has ---- */

struct unknown {
    const char *name;
    long number;
};

static void call_unknown(struct trial *trial, const void *data)
{
    const struct unknown *unknown = data;
    long value = syscall(unknown->number, -1L, -1L, -1L, -1L, -1L, -1L);
    if (value < 0 && errno == ENOSYS)
        tell_denied(trial, unknown->name, ENOSYS);
    else if (value < 0 && errno == EPERM && !trial->control)
        tell_escaped(trial, unknown->name, "EPERM instead of ENOSYS: libc would not fall back");
    else
        tell_answer(trial, unknown->name, value);
}

static void call_future(struct trial *trial)
{
    static const struct unknown UNKNOWN[] = {
        {"statmount", 457},  {"listmount", 458},  {"file_getattr", 468},   {"file_setattr", 469},
        {"number 600", 600}, {"number 999", 999}, {"number 65536", 65536},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(UNKNOWN); i++)
        try_in_child(trial, UNKNOWN[i].name, call_unknown, &UNKNOWN[i]);
}

const struct probe B_SURFACE[] = {
    {"B-09", "socket families", open_families},
    {"B-10", "personalities and segment descriptors", change_personality},
    {"B-12", "threads without the filter", check_threads},
    {"B-13", "calls newer than the profile", call_future},
    {NULL, NULL, NULL},
};
