/* c_root.c - leaving the root, and mounts: C-06, C-07, C-09. */
#include "probe.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STEPS_UP 64
#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif
#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

/* ---- C-06: the old root ---- */

/* Arguments: a file of the host that no job is shown, and a directory to work in. */
static void find_marker(struct trial *trial, const char *attempt, int directory, const char *marker)
{
    int fd = openat(directory, marker[0] == '/' ? marker + 1 : marker, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        tell_escaped(trial, attempt, "the host's %s opens", marker);
        close(fd);
    } else {
        tell_denied_as(trial, attempt, "the host's file is not there");
    }
}

/* Up as far as it goes from a descriptor that was opened before: the way out of a plain chroot. */
static int climb(int from)
{
    int at = dup(from);
    for (int i = 0; i < STEPS_UP && at >= 0; i++) {
        int above = openat(at, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        close(at);
        at = above;
    }
    return at;
}

static void walk_out(struct trial *trial, const void *unused)
{
    (void)unused;
    const char *marker = argument(trial, 0, "/"), *place = argument(trial, 1, "/tmp");
    if (trial->control && own_namespaces(0) < 0) {
        tell_denied(trial, "chroot walk", errno);
        return;
    }
    int before = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (chdir(place) < 0 || (mkdir("root", 0700) < 0 && errno != EEXIST)) {
        tell_untried(trial, "chroot walk", "%s: %s", place, errno_name(errno));
        return;
    }
    int moved = chroot("root");
    int error = errno;
    int top = climb(before);
    if (moved < 0 && error != EPERM)
        tell_untried(trial, "chroot walk", "chroot: %s", errno_name(error));
    else
        find_marker(trial, "chroot walk", top, marker);
    if (moved == 0 && fchdir(before) < 0) return;
    if (chdir(place[0] == '/' ? place + 1 : place) == 0) rmdir("root");
}

/* Whether the host's file is above, beside or below what the link leads to; -1 when it leads nowhere. */
static int look_behind(const char *link, const char *marker)
{
    int fd = open(link, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return -1;
    int top = climb(fd);
    int found = openat(top, marker[0] == '/' ? marker + 1 : marker, O_RDONLY | O_CLOEXEC);
    close(fd);
    close(top);
    if (found >= 0) close(found);
    return found >= 0;
}

struct roots {
    const char *marker;
    int opened, found;
};

static int visit_roots(void *context, const char *path, const char *name, unsigned char type)
{
    struct roots *roots = context;
    static const char *const LINKS[] = {"root", "cwd"};
    if (type != DT_DIR || !isdigit((unsigned char)name[0])) return 1;
    for (size_t i = 0; i < ARRAY_LENGTH(LINKS); i++) {
        char link[4200];
        snprintf(link, sizeof link, "%s/%s", path, LINKS[i]);
        int behind = look_behind(link, roots->marker);
        roots->opened += behind >= 0;
        roots->found += behind > 0;
    }
    return 1;
}

static void try_roots(struct trial *trial, const char *marker)
{
    struct roots roots = {.marker = marker};
    walk("/proc", 0, visit_roots, &roots);
    if (roots.found > 0)
        tell_escaped(trial, "roots of processes", "%d of %d lead to the host's file", roots.found, roots.opened);
    else
        tell_denied_as(trial, "roots of processes", "none of %d leads to the host's file", roots.opened);
}

/* One of the devices that a jail has, on its own place or hiding a file. */
static int is_device(const char *root)
{
    static const char *const NAMES[] = {"/null", "/zero", "/full", "/random", "/urandom", "/tty"};
    const char *name = strrchr(root, '/');
    for (size_t i = 0; name != NULL && i < ARRAY_LENGTH(NAMES); i++)
        if (strcmp(name, NAMES[i]) == 0) return 1;
    return 0;
}

/* Every mount is the jail's own kind of file system, or shows the host's files read-only. */
static void read_mounts(struct trial *trial)
{
    static char text[256 * 1024];
    int mounts = 0, strange = 0;
    char first[512] = "";
    if (read_text("/proc/self/mountinfo", text, sizeof text) < 0) {
        tell_untried(trial, "mounts", "mountinfo: %s", errno_name(errno));
        return;
    }
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char root[512], point[512], options[256];
        const char *rest = strstr(line, " - ");
        if (rest == NULL || sscanf(line, "%*s %*s %*s %511s %511s %255s", root, point, options) != 3) continue;
        mounts++;
        int own = strncmp(rest + 3, "tmpfs ", 6) == 0 || strncmp(rest + 3, "proc ", 5) == 0 ||
                  strncmp(rest + 3, "devpts ", 7) == 0;
        int shown = strncmp(options, "ro", 2) == 0 && strstr(options, "nosuid") != NULL;
        int device = is_device(root) && strstr(options, "nosuid") != NULL;
        int shared = strstr(line, " shared:") != NULL || strstr(line, " master:") != NULL;
        if ((own || shown || device) && !shared) continue;
        if (strange++ == 0) snprintf(first, sizeof first, "%s", point);
    }
    if (strange > 0)
        tell_escaped(trial, "mounts", "%d of %d are not a jail's, the first on %s", strange, mounts, first);
    else
        tell_denied_as(trial, "mounts", "all %d are a jail's", mounts);
}

static void leave_root(struct trial *trial)
{
    const char *marker = argument(trial, 0, "/");
    int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    find_marker(trial, "the path itself", root, marker);
    find_marker(trial, "up from the working directory", climb(here), marker);
    try_in_child(trial, "chroot walk", walk_out, NULL);
    try_roots(trial, marker);
    read_mounts(trial);
}

/* ---- C-07: mounts that would show on the host; C-09: a remount that would change a file system of the host ---- */

/* The control has a mount namespace and a tmpfs of its own: nothing of it is seen outside. */
static int own_tmpfs(const struct trial *trial)
{
    if (!trial->control) return 0;
    if (own_namespaces(CLONE_NEWNS) < 0) return -1;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return -1;
    return mount("tmpfs", argument(trial, 0, "/nowhere"), "tmpfs", 0, "size=64k");
}

static void mount_things(struct trial *trial, const void *unused)
{
    const char *place = argument(trial, 0, "/tmp");
    (void)unused;
    if (own_tmpfs(trial) < 0) {
        tell_denied(trial, "mount tmpfs", errno);
        return;
    }
    tell_call(trial, "mount tmpfs", mount("tmpfs", place, "tmpfs", 0, "size=64k"));
    tell_call(trial, "mount bind", mount("/", place, NULL, MS_BIND | MS_REC, NULL));
    tell_call(trial, "make shared", mount(NULL, place, NULL, MS_SHARED, NULL));
    tell_call(trial, "umount", umount2(place, MNT_DETACH));
    tell_call(trial, "fsopen tmpfs", syscall(SYS_fsopen, "tmpfs", 0));
    tell_call(trial, "open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE | AT_RECURSIVE | O_CLOEXEC));
}

static void propagate(struct trial *trial)
{
    try_in_child(trial, "mount", mount_things, NULL);
}

static void remount_things(struct trial *trial, const void *unused)
{
    (void)unused;
    const char *const inside[] = {"/", "/proc", "/tmp", "/workspace"}, *const outside[] = {
                                                                           argument(trial, 0, "/nowhere")};
    const char *const *points = trial->control ? outside : inside;
    size_t count = trial->control ? ARRAY_LENGTH(outside) : ARRAY_LENGTH(inside);
    if (own_tmpfs(trial) < 0) {
        tell_denied(trial, "remount", errno);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        tell_call(trial, "remount", mount(NULL, points[i], NULL, MS_REMOUNT | MS_NOATIME, NULL));
        tell_call(trial, "remount bind", mount(NULL, points[i], NULL, MS_REMOUNT | MS_BIND | MS_NOATIME, NULL));
    }
}

static void change_superblock(struct trial *trial)
{
    try_in_child(trial, "remount", remount_things, NULL);
}

const struct probe C_ROOT[] = {
    {"C-06", "the old root", leave_root},
    {"C-07", "mounts that reach the host", propagate},
    {"C-09", "remounts that change the host", change_superblock},
    {NULL, NULL, NULL},
};
