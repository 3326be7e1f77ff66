/* e_host.c - what the host's own files and counters tell a job, and what a job does to them: A-11, E-03, E-07, E-09,
 * E-10. */
#include "probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* ---- what of /usr is the site's own ---- */

static int count_entry(void *context, const char *path, const char *name, unsigned char type)
{
    int *count = context;
    (void)path;
    (void)name;
    (void)type;
    (*count)++;
    return 1;
}

static void look_at_site(struct trial *trial)
{
    static const char *const DIRECTORIES[] = {"/usr/etc", "/usr/src", "/usr/local/etc", "/usr/local/src"};
    for (size_t i = 0; i < ARRAY_LENGTH(DIRECTORIES); i++) {
        int entries = 0;
        walk(DIRECTORIES[i], 0, count_entry, &entries);
        if (entries > 0)
            tell_escaped(trial, DIRECTORIES[i], "%d entries can be seen", entries);
        else if (trial->control)
            tell_untried(trial, DIRECTORIES[i], "this host has nothing there");
        else
            tell_denied_as(trial, DIRECTORIES[i], "empty, or not there");
    }
}

/* ---- E-03: locks on files that others see, too. Arguments: one that the host has locked, one that a job has ---- */

static void look_at_lock(struct trial *trial, const char *path, const char *whole, const char *range)
{
    struct flock wanted = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        tell_denied(trial, whole, errno);
        tell_denied(trial, range, errno);
        return;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
        tell_escaped(trial, whole, "somebody else's lock on %s can be seen", path);
    else
        tell_denied_as(trial, whole, "nobody else's lock on %s can be seen", path);
    if (fcntl(fd, F_GETLK, &wanted) == 0 && wanted.l_type != F_UNLCK)
        tell_escaped(trial, range, "somebody else's lock on %s can be seen", path);
    else
        tell_denied_as(trial, range, "nobody else's lock on %s can be seen", path);
    close(fd);
}

static void look_at_locks(struct trial *trial)
{
    look_at_lock(trial, argument(trial, 0, "/usr/bin/env"), "the host's flock", "the host's fcntl lock");
    look_at_lock(trial, argument(trial, 1, "/usr/bin/sort"), "a job's flock", "a job's fcntl lock");
}

/* ---- E-07: who else opens a file. Arguments: a file that others open all the time, its directory[, devices] ---- */

#define WATCHES 3

struct watch {
    const char *attempt;
    const char *path;
    int descriptor; /* of inotify; -1 when it was refused */
    int error;
    int seen;
};

static volatile sig_atomic_t signals_seen;

static void count_signal(int signal)
{
    (void)signal;
    signals_seen = 1;
}

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int take_events(int fd, struct watch *watches, int count)
{
    char events[4096] __attribute__((aligned(8)));
    ssize_t got = read(fd, events, sizeof events);
    for (ssize_t at = 0; at < got;) {
        const struct inotify_event *event = (const void *)(events + at);
        for (int i = 0; i < count; i++)
            if (watches[i].descriptor == event->wd) watches[i].seen = 1;
        at += (ssize_t)(sizeof *event + event->len);
    }
    int seen = 0;
    for (int i = 0; i < count; i++)
        seen += watches[i].seen;
    return seen;
}

/* Outside until everything was seen; inside for a while, in which it would be seen a hundred times. */
static void wait_for_events(const struct trial *trial, int fd, struct watch *watches, int count, int directory)
{
    uint64_t end = milliseconds() + (trial->control ? 10000 : 700);
    for (int seen = 0; milliseconds() < end && (seen < count || (directory >= 0 && !signals_seen));) {
        struct pollfd watched = {.fd = fd, .events = POLLIN};
        if (poll(&watched, 1, 50) > 0) seen = take_events(fd, watches, count);
    }
}

static void tell_watch(struct trial *trial, const struct watch *watch)
{
    if (watch->seen)
        tell_escaped(trial, watch->attempt, "somebody else opened %s", watch->path);
    else if (watch->descriptor < 0)
        tell_denied(trial, watch->attempt, watch->error);
    else
        tell_denied_as(trial, watch->attempt, "nobody else is seen at %s", watch->path);
}

static void watch_files(struct trial *trial)
{
    struct watch watches[WATCHES] = {
        {.attempt = "inotify on a file", .path = argument(trial, 0, "/usr/bin/env")},
        {.attempt = "inotify on a directory", .path = argument(trial, 1, "/usr/bin")},
        {.attempt = "inotify on a device", .path = "/dev/zero"},
    };
    int count = trial->argc > 2 ? WATCHES : WATCHES - 1;
    struct sigaction action = {.sa_handler = count_signal};
    sigaction(SIGIO, &action, NULL);
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    for (int i = 0; i < count; i++) {
        watches[i].descriptor = fd < 0 ? -1 : inotify_add_watch(fd, watches[i].path, IN_OPEN);
        watches[i].error = errno;
    }
    int directory = open(watches[1].path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    take_events(fd, watches, count); /* our own opening is not what is looked for */
    for (int i = 0; i < count; i++)
        watches[i].seen = 0;
    long notified = fcntl(directory, F_NOTIFY, DN_ACCESS | DN_MULTISHOT);
    int error = errno;
    wait_for_events(trial, fd, watches, count, notified < 0 ? -1 : directory);
    for (int i = 0; i < count; i++)
        tell_watch(trial, &watches[i]);
    if (signals_seen)
        tell_escaped(trial, "dnotify on a directory", "somebody else reads in %s", watches[1].path);
    else if (notified < 0)
        tell_denied(trial, "dnotify on a directory", error);
    else
        tell_denied_as(trial, "dnotify on a directory", "nobody else is seen in %s", watches[1].path);
    close(directory);
    close(fd);
}

/* ---- E-09: names and counters of the whole host. Argument: the boot's id, as the host knows it ---- */

#define MOST_FILES 8192

struct pass {
    size_t count;
    uint64_t hashes[MOST_FILES];
    const struct pass *before;
    int changed;
    char names[256];
};

/* What changes by itself in a namespace of the job's own, or tells nothing: a number that is new at every look. */
static int is_own(const char *path)
{
    static const char *const OWN[] = {"/uuid", "/ns_last_pid", "/entropy_avail", "/perf_event_max_sample_rate",
                                      "/perf_cpu_time_max_percent"};
    for (size_t i = 0; i < ARRAY_LENGTH(OWN); i++) {
        size_t length = strlen(path), tail = strlen(OWN[i]);
        if (length >= tail && strcmp(path + length - tail, OWN[i]) == 0) return 1;
    }
    return strncmp(path, "/proc/sys/net/", 14) == 0;
}

static uint64_t hash(const char *text, ssize_t length)
{
    uint64_t value = 0xcbf29ce484222325;
    for (ssize_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)text[i]) * 0x100000001b3;
    return value;
}

static int visit_setting(void *context, const char *path, const char *name, unsigned char type)
{
    struct pass *pass = context;
    char text[512];
    if (strcmp(name, "binfmt_misc") == 0 || strcmp(name, "stat_refresh") == 0)
        return 1; /* looking changes the host */
    if (type != DT_REG || pass->count == MOST_FILES || is_own(path)) return 0;
    size_t at = pass->count++;
    pass->hashes[at] = hash(text, read_text(path, text, sizeof text));
    if (pass->before == NULL || at >= pass->before->count || pass->before->hashes[at] == pass->hashes[at]) return 0;
    size_t length = strlen(pass->names);
    if (pass->changed++ < 6) snprintf(pass->names + length, sizeof pass->names - length, " %s", path + 10);
    return 0;
}

/* Whatever moves while this process opens and closes things counts for the whole host. */
static void look_at_counters(struct trial *trial)
{
    static struct pass first, second;
    int held[500];
    walk("/proc/sys", 8, visit_setting, &first);
    for (size_t i = 0; i < ARRAY_LENGTH(held); i++)
        held[i] = eventfd(0, EFD_CLOEXEC);
    int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    second.before = &first;
    walk("/proc/sys", 8, visit_setting, &second);
    if (second.changed > 0)
        tell_escaped(trial, "counters of the host", "%d moved:%s", second.changed, second.names);
    else
        tell_denied_as(trial, "counters of the host", "none of %zu settings moved", second.count);
    for (size_t i = 0; i < ARRAY_LENGTH(held); i++)
        if (held[i] >= 0) close(held[i]);
    if (terminal >= 0) close(terminal);
}

static void look_at_boot(struct trial *trial)
{
    char id[64] = "";
    read_text("/proc/sys/kernel/random/boot_id", id, sizeof id);
    id[strcspn(id, "\n")] = 0;
    if (strcmp(id, argument(trial, 0, "?")) == 0)
        tell_escaped(trial, "boot_id", "it is the host's");
    else
        tell_denied_as(trial, "boot_id", "it is not the host's");
}

/* Behind the dash of a line stands what a mount is made of; before it, where it is mounted. */
static void look_at_mounts(struct trial *trial)
{
    static char text[65536];
    const char *disk = NULL;
    read_text("/proc/self/mountinfo", text, sizeof text);
    for (char *line = strtok(text, "\n"); line != NULL && disk == NULL; line = strtok(NULL, "\n")) {
        const char *made_of = strstr(line, " - ");
        if (made_of != NULL) disk = strstr(made_of, " /dev/");
    }
    if (disk != NULL)
        tell_escaped(trial, "disks in mountinfo", "%.*s", (int)strcspn(disk + 1, " "), disk + 1);
    else if (trial->control)
        tell_untried(trial, "disks in mountinfo", "this host has none there either");
    else
        tell_denied_as(trial, "disks in mountinfo", "none");
}

static void look_at_hardware(struct trial *trial)
{
    static const char *const DIRECTORIES[] = {"/proc/fs", "/proc/irq", "/proc/bus"};
    int entries = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(DIRECTORIES); i++)
        walk(DIRECTORIES[i], 0, count_entry, &entries);
    if (entries > 0)
        tell_escaped(trial, "hardware in /proc", "%d entries of fs, irq and bus", entries);
    else
        tell_denied_as(trial, "hardware in /proc", "none");
}

static void look_at_host(struct trial *trial)
{
    look_at_boot(trial);
    look_at_counters(trial);
    look_at_mounts(trial);
    look_at_hardware(trial);
}

/* ---- E-10: the host in /sys. Arguments: a file of it that others open all the time, its directory ---- */

/* What programs size themselves by. The control groups are C-13's. */
static const char *const SIZES[] = {"/sys/devices/system/cpu", "/sys/devices/system/node",
                                    "/sys/kernel/mm/transparent_hugepage", "/sys/fs/cgroup"};

struct tree {
    int others, writable;
    char first_other[256], first_writable[256];
};

static int begins_with(const char *path, const char *above)
{
    size_t length = strlen(above);
    return strncmp(path, above, length) == 0 && (path[length] == 0 || path[length] == '/');
}

/* Looks at names alone: to open a file of a device can change the device. */
static int visit_tree(void *context, const char *path, const char *name, unsigned char type)
{
    struct tree *tree = context;
    int leads_there = 0, is_there = 0;
    (void)name;
    for (size_t i = 0; i < ARRAY_LENGTH(SIZES); i++) {
        leads_there |= type == DT_DIR && begins_with(SIZES[i], path);
        is_there |= begins_with(path, SIZES[i]);
    }
    if (access(path, W_OK) == 0 && tree->writable++ == 0)
        snprintf(tree->first_writable, sizeof tree->first_writable, "%s", path);
    if (leads_there || is_there) return strcmp(path, "/sys/fs/cgroup") == 0;
    if (tree->others++ == 0) snprintf(tree->first_other, sizeof tree->first_other, "%s", path);
    return 1;
}

static void look_through_tree(struct trial *trial)
{
    static const char others[] = "names other than of processors", writable[] = "write access";
    static struct tree tree;
    struct statvfs status;
    int read_only = statvfs("/sys", &status) < 0 || (status.f_flag & ST_RDONLY) != 0;
    walk("/sys", 12, visit_tree, &tree);
    if (tree.others > 0)
        tell_escaped(trial, others, "%d, the first is %s", tree.others, tree.first_other);
    else if (trial->control)
        tell_untried(trial, others, "this host has no /sys");
    else
        tell_denied_as(trial, others, "none");
    if (tree.writable > 0)
        tell_escaped(trial, writable, "to %d, the first is %s", tree.writable, tree.first_writable);
    else if (trial->control)
        tell_untried(trial, writable, trial->root ? "it is read-only on this host" : "needs root on this host");
    else
        tell_denied_as(trial, writable, "to nothing");
    if (!read_only)
        tell_escaped(trial, "a mount for writing", "it is not read-only");
    else if (trial->control)
        tell_untried(trial, "a mount for writing", "it is read-only on this host");
    else
        tell_denied_as(trial, "a mount for writing", "it is read-only");
}

static void look_at_sys(struct trial *trial)
{
    static const char *const HIDDEN[] = {
        "/sys/class/dmi/id/product_uuid",
        "/sys/firmware",
        "/sys/block",
        "/sys/class/net",
        "/sys/bus/pci/devices",
        "/sys/devices/virtual",
        "/sys/devices/system/cpu/vulnerabilities",
        "/sys/devices/system/cpu/cpu0/microcode",
        "/sys/devices/system/cpu/cpu0/topology/ppin", /* a serial number */
        "/sys/devices/system/node/node0/numastat",
    };
    look_through_tree(trial);
    for (size_t i = 0; i < ARRAY_LENGTH(HIDDEN); i++) {
        if (access(HIDDEN[i], F_OK) == 0)
            tell_escaped(trial, HIDDEN[i], "it is there");
        else if (trial->control && errno == ENOENT)
            tell_untried(trial, HIDDEN[i], "this host does not have it");
        else
            tell_denied(trial, HIDDEN[i], errno);
    }
    watch_files(trial);
}

const struct probe E_HOST[] = {
    {"A-11", "the site's own files", look_at_site},      {"E-03", "locks on files of the host", look_at_locks},
    {"E-07", "watching files of the host", watch_files}, {"E-09", "names and counters of the host", look_at_host},
    {"E-10", "the host in /sys", look_at_sys},           {NULL, NULL, NULL},
};
