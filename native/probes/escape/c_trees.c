/* c_trees.c - what the kernel's trees and devices show and let change: C-01, C-08. */
#include "probe.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

/* ---- C-01: /proc and /sys ---- */

/* What a process may write about itself. */
static const char *const OWN[] = {
    "attr",       "autogroup", "clear_refs", "comm",           "coredump_filter",
    "gid_map",    "loginuid",  "mem",        "oom_adj",        "oom_score_adj",
    "projid_map", "sched",     "setgroups",  "timens_offsets", "timerslack_ns",
    "uid_map",    "fd",        "map_files",  "fail-nth",       "make-it-fail",
    "latency",
};

/* What everybody may open for writing everywhere: pressure triggers count against the writer alone. */
static const char *const ANYBODY[] = {"/proc/pressure/cpu", "/proc/pressure/io", "/proc/pressure/memory"};

struct sweep {
    int tried, opened;
    char first[512];
};

static int is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return 1;
    return 0;
}

/* Opens and closes; nothing is ever written. */
static void open_for_writing(struct sweep *sweep, const char *path)
{
    sweep->tried++;
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW);
    struct stat status;
    if (fd < 0) return;
    /* A file that is hidden below /dev/null is not written to. */
    int hidden = fstat(fd, &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
    close(fd);
    if (hidden) return;
    if (sweep->opened++ == 0) snprintf(sweep->first, sizeof sweep->first, "%s", path);
}

static int visit_writable(void *context, const char *path, const char *name, unsigned char type)
{
    if (type == DT_DIR) return is_one_of(name, OWN, ARRAY_LENGTH(OWN)) && strncmp(path, "/proc/", 6) == 0;
    if (type != DT_REG || is_one_of(path, ANYBODY, ARRAY_LENGTH(ANYBODY))) return 0;
    const char *below = path + strlen("/proc/");
    int own = isdigit((unsigned char)below[0]);
    if (own && is_one_of(name, OWN, ARRAY_LENGTH(OWN))) return 0;
    open_for_writing(context, path);
    return 0;
}

static void sweep_writable(struct trial *trial, const char *path)
{
    static const char attempt[] = "open for writing";
    struct sweep sweep = {0};
    walk(path, 12, visit_writable, &sweep);
    if (sweep.opened > 0)
        tell_escaped(trial, attempt, "%d of %d open, the first is %s", sweep.opened, sweep.tried, sweep.first);
    else if (trial->control && !trial->root)
        tell_untried(trial, attempt, "needs root on this host");
    else
        tell_denied_as(trial, attempt, "none of %d below %s opens", sweep.tried, path);
}

static void read_hidden(struct trial *trial, const char *path)
{
    char text[256], attempt[96];
    snprintf(attempt, sizeof attempt, "read %s", path);
    ssize_t got = read_text(path, text, sizeof text);
    if (got > 0)
        tell_escaped(trial, attempt, "it has content");
    else if (got == 0 && trial->control)
        tell_untried(trial, attempt, "it holds nothing for this user");
    else if (got == 0)
        tell_denied_as(trial, attempt, "it is empty");
    else if (trial->control && errno == ENOENT)
        tell_untried(trial, attempt, "this kernel does not have it");
    else
        tell_denied(trial, attempt, errno);
}

static void look_at_trees(struct trial *trial)
{
    static const char *const HIDDEN[] = {
        "/proc/kcore",
        "/proc/keys",
        "/proc/key-users",
        "/proc/interrupts",
        "/proc/timer_list",
        "/proc/kallsyms",
        "/proc/modules",
        "/proc/cmdline",
        "/proc/sched_debug",
        "/proc/latency_stats",
        "/proc/kmsg",
        "/sys/kernel/notes",
        "/sys/class/dmi/id/sys_vendor",
        "/sys/devices/system/cpu/vulnerabilities/meltdown",
    };
    sweep_writable(trial, "/proc/sys");
    if (!trial->control) {
        sweep_writable(trial, "/proc");
        sweep_writable(trial, "/sys");
    }
    for (size_t i = 0; i < ARRAY_LENGTH(HIDDEN); i++) {
        /* Reading the kernel's log would take it away from whoever reads it on the host. */
        if (trial->control && strcmp(HIDDEN[i], "/proc/kmsg") == 0)
            tell_untried(trial, "read /proc/kmsg", "not made outside: it would take the log away");
        else
            read_hidden(trial, HIDDEN[i]);
    }
    int sysfs = open("/sys/module", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    tell_call(trial, "list /sys/module", sysfs);
    if (sysfs >= 0) close(sysfs);
}

/* ---- C-13: the control groups that a job is shown ---- */

#define CGROUPS       "/sys/fs/cgroup"
#define CGROUP_MAGIC  0x27e0eb
#define CGROUP2_MAGIC 0x63677270

static int is_cgroup(const char *path)
{
    struct statfs status;
    return statfs(path, &status) == 0 && (status.f_type == CGROUP_MAGIC || status.f_type == CGROUP2_MAGIC);
}

struct groups {
    struct sweep files;    /* that set something */
    struct sweep writable; /* directories in which a group could be made */
    struct sweep others;   /* groups below those at the top: the job has none there */
    int tops;
};

/* Nothing is written and nothing is made, also outside. */
static int visit_group(void *context, const char *path, const char *name, unsigned char type)
{
    struct groups *groups = context;
    if (type == DT_DIR) {
        char above[512];
        if (!is_cgroup(path)) return 0;
        snprintf(above, sizeof above, "%.*s", (int)(strlen(path) - strlen(name) - 1), path);
        int top = strcmp(path, CGROUPS) == 0 || !is_cgroup(above);
        if (access(path, W_OK) == 0 && groups->writable.opened++ == 0)
            snprintf(groups->writable.first, sizeof groups->writable.first, "%s", path);
        if (top)
            groups->tops++;
        else if (groups->others.opened++ == 0)
            snprintf(groups->others.first, sizeof groups->others.first, "%s", path);
        return !top;
    }
    if (type == DT_REG && is_cgroup(path)) open_for_writing(&groups->files, path);
    return 0;
}

static void tell_sweep(struct trial *trial, const char *attempt, const struct sweep *sweep, int needs_root)
{
    if (sweep->opened > 0)
        tell_escaped(trial, attempt, "%d, the first is %s", sweep->opened, sweep->first);
    else if (trial->control)
        tell_untried(trial, attempt, "%s", needs_root && !trial->root ? "needs root on this host" : "there are none");
    else
        tell_denied_as(trial, attempt, "none");
}

static void use_groups(struct trial *trial)
{
    struct groups groups = {0};
    if (is_cgroup(CGROUPS)) visit_group(&groups, CGROUPS, "cgroup", DT_DIR);
    walk(CGROUPS, 3, visit_group, &groups);
    tell_sweep(trial, "change a limit", &groups.files, 1);
    tell_sweep(trial, "make a group", &groups.writable, 1);
    tell_sweep(trial, "see others' groups", &groups.others, 0);
}

/* ---- C-08: devices ---- */

static const struct {
    const char *name;
    mode_t type;
    unsigned major, minor;
} DEVICES[] = {
    {"mem", S_IFCHR, 1, 1},    {"kmsg", S_IFCHR, 1, 11}, {"kvm", S_IFCHR, 10, 232},   {"fuse", S_IFCHR, 10, 229},
    {"tun", S_IFCHR, 10, 200}, {"sda", S_IFBLK, 8, 0},   {"whiteout", S_IFCHR, 0, 0},
};

static void make_node(struct trial *trial, const char *directory, size_t index)
{
    char path[4096], attempt[32];
    snprintf(path, sizeof path, "%s/node-%s", directory, DEVICES[index].name);
    snprintf(attempt, sizeof attempt, "mknod %s", DEVICES[index].name);
    long made = mknod(path, DEVICES[index].type | 0600, makedev(DEVICES[index].major, DEVICES[index].minor));
    tell_call(trial, attempt, made);
    if (made == 0) unlink(path);
}

struct seen {
    int others;
    char first[256];
};

static int is_harmless(const struct stat *status)
{
    unsigned number = major(status->st_rdev), minor_number = minor(status->st_rdev);
    if (S_ISBLK(status->st_mode)) return 0;
    if (number == 1) /* null, zero, full, random, urandom */
        return minor_number == 3 || minor_number == 5 || (minor_number >= 7 && minor_number <= 9);
    if (number == 5) return minor_number == 0 || minor_number == 2; /* tty, ptmx */
    return number >= 136 && number <= 143;                          /* pseudo-terminals */
}

/* Seen is enough: to open a device can do things (a watchdog would reset the machine). */
static int visit_device(void *context, const char *path, const char *name, unsigned char type)
{
    struct seen *seen = context;
    struct stat status;
    (void)name;
    (void)type; /* that of the file below, where a device is mounted on one */
    if (lstat(path, &status) < 0 || !(S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))) return 0;
    if (!is_harmless(&status) && seen->others++ == 0) snprintf(seen->first, sizeof seen->first, "%s", path);
    return 0;
}

static void use_devices(struct trial *trial)
{
    struct seen seen = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(DEVICES); i++)
        make_node(trial, argument(trial, 0, "/tmp"), i);
    walk("/dev", 3, visit_device, &seen);
    if (seen.others > 0)
        tell_escaped(trial, "devices in /dev", "%d, the first is %s", seen.others, seen.first);
    else
        tell_denied_as(trial, "devices in /dev", "none but the harmless");
}

const struct probe C_TREES[] = {
    {"C-01", "/proc and /sys", look_at_trees},
    {"C-08", "device nodes", use_devices},
    {"C-13", "the control groups that a job is shown", use_groups},
    {NULL, NULL, NULL},
};
