#include "ground.h"
#include "boot.h"
#include "sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOB             CGROUP_ROOT "/job"
#define CPU_PERIOD      100000u /* microseconds; the kernel's own default */
#define FREEZE_PATIENCE 2000000000ull

static int write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, JOB "/%s", name);
    SCOPED_FD file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    ssize_t written = write(file, text, strlen(text));
    if (written < 0) return -errno;
    return (size_t)written == strlen(text) ? 0 : -EIO;
}

static int read_text(const char *name, char *text, size_t room)
{
    char path[128];
    snprintf(path, sizeof path, JOB "/%s", name);
    SCOPED_FD file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t got = read(file, text, room - 1);
    if (got < 0) return 0;
    text[got] = 0;
    return 1;
}

/* What the kernel took is the number, or what is left of it in whole pages. */
static int holds(const char *name, uint64_t number, uint64_t grain)
{
    char text[64], *end;
    if (!read_text(name, text, sizeof text)) return 0;
    unsigned long long held = strtoull(text, &end, 10);
    return end != text && held == number - number % grain;
}

static int write_number(const char *name, uint64_t number, uint64_t grain)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    int error = write_file(name, text);
    if (error < 0) return error;
    return holds(name, number, grain) ? 0 : -EIO;
}

static int write_cpu(uint64_t cpu_micros)
{
    char text[64];
    uint64_t quota = cpu_micros * CPU_PERIOD / 1000000u;
    snprintf(text, sizeof text, "%llu %u", (unsigned long long)quota, CPU_PERIOD);
    int error = write_file("cpu.max", text);
    if (error < 0) return error;
    return holds("cpu.max", quota, 1) ? 0 : -EIO;
}

int ground_make(const struct guest_ground *limits, const char **what)
{
    *what = "a limit of 0 would be unlimited";
    if (limits->memory == 0 || limits->pids == 0 || limits->cpu_micros == 0) return -EINVAL;
    *what = "the cgroup";
    if (mkdir(JOB, 0755) < 0 && errno != EEXIST) return -errno;
    int error = write_number(*what = "memory.max", limits->memory, (uint64_t)sysconf(_SC_PAGESIZE));
    if (error >= 0) {
        error = write_file(*what = "memory.swap.max", "0");
        if (error == -ENOENT) error = 0; /* a kernel without swap */
    }
    if (error >= 0) error = write_file(*what = "memory.oom.group", "1");
    if (error >= 0) error = write_number(*what = "pids.max", limits->pids, 1);
    *what = error < 0 ? *what : "cpu.max";
    return error < 0 ? error : write_cpu(limits->cpu_micros);
}

int ground_remove(void)
{
    return result(rmdir(JOB));
}

int ground_open(struct ground_handle handles[GROUND_HANDLES])
{
    handles[0] = (struct ground_handle){ROLE_CGROUP, open(JOB, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    handles[1] = (struct ground_handle){ROLE_CGROUP_KILL, open(JOB "/cgroup.kill", O_WRONLY | O_CLOEXEC)};
    handles[2] = (struct ground_handle){ROLE_CPU_USAGE, open(JOB "/cpu.stat", O_RDONLY | O_CLOEXEC)};
    int missing = 0;
    for (int i = 0; i < GROUND_HANDLES; i++)
        missing |= handles[i].fd < 0;
    if (!missing) return 0;
    for (int i = 0; i < GROUND_HANDLES; i++)
        fd_close(&handles[i].fd);
    return -ENOENT;
}

/* ---- counters ---- */

/* The number after `key`; keys end with a blank or an equals sign. NULL when it is not there. */
static const char *after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    while (at != NULL && at != text && at[-1] != '\n' && at[-1] != ' ')
        at = strstr(at + 1, key);
    return at == NULL ? NULL : at + strlen(key);
}

static void put(struct guest_usage *usage, enum guest_usage_field field, const char *number)
{
    if (number == NULL) return;
    usage->values[field] += strtoull(number, NULL, 10);
    usage->known |= 1u << field;
}

/* One line for each device. */
static void sum_io(struct guest_usage *usage, const char *text)
{
    put(usage, USAGE_READ_BYTES, "0");
    put(usage, USAGE_WRITTEN_BYTES, "0");
    for (const char *line = text; line != NULL && *line != 0; line = strchr(line, '\n')) {
        while (*line == '\n')
            line++;
        put(usage, USAGE_READ_BYTES, after(line, "rbytes="));
        put(usage, USAGE_WRITTEN_BYTES, after(line, "wbytes="));
    }
}

void ground_usage(struct guest_usage *usage)
{
    static const struct {
        enum guest_usage_field field;
        const char *file;
        const char *key; /* empty: the file is the number */
    } counters[] = {
        {USAGE_MEMORY, "memory.current", ""},
        {USAGE_MEMORY_PEAK, "memory.peak", ""},
        {USAGE_PIDS, "pids.current", ""},
        {USAGE_PIDS_PEAK, "pids.peak", ""},
        {USAGE_CPU_USER_US, "cpu.stat", "user_usec "},
        {USAGE_CPU_SYSTEM_US, "cpu.stat", "system_usec "},
        {USAGE_OOM_KILLS, "memory.events", "oom_kill "},
        {USAGE_OOM_GROUP_KILLS, "memory.events", "oom_group_kill "},
        {USAGE_MEMORY_HITS, "memory.events", "max "},
        {USAGE_PIDS_HITS, "pids.events", "max "},
    };
    *usage = (struct guest_usage){.size = sizeof *usage};
    char text[4096];
    for (size_t i = 0; i < ARRAY_LENGTH(counters); i++)
        if (read_text(counters[i].file, text, sizeof text))
            put(usage, counters[i].field, counters[i].key[0] == 0 ? text : after(text, counters[i].key));
    if (read_text("io.stat", text, sizeof text)) sum_io(usage, text);
}

int ground_freeze(int frozen)
{
    int error = write_file("cgroup.freeze", frozen ? "1" : "0");
    uint64_t deadline = clock_now() + FREEZE_PATIENCE;
    char text[256];
    while (error >= 0) {
        if (!read_text("cgroup.events", text, sizeof text)) return -ENOENT;
        const char *now = after(text, "frozen ");
        if (now != NULL && (now[0] == '1') == (frozen != 0)) return 0;
        if (clock_now() > deadline) return -ETIMEDOUT;
        struct timespec pause = {.tv_nsec = 1000000};
        nanosleep(&pause, NULL);
    }
    return error;
}

void ground_kill(void)
{
    write_file("cgroup.kill", "1");
}
