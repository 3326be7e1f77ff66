#include "devices.h"
#include "mounts.h"
#include "sys.h"
#include "tmpfs.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define DIRECTORY "/dev"
#define MEMORY    1 /* the major number of null, zero, full, random and urandom: the same for everybody */
#define TERMINALS 5 /* that of tty, which is the own terminal of whoever opens it; minor 1 is the console */

/* Its name below /dev; NULL when it stands elsewhere. */
static const char *name_of(const struct operation *operation)
{
    const char *path = operation->path;
    size_t length = strlen(DIRECTORY);
    if (strncmp(path, DIRECTORY "/", length + 1) != 0 || strchr(path + length + 1, '/') != NULL) return NULL;
    return path + length + 1;
}

/* Owned by the job's uid as the host sees it: init, which has that uid, adds links and mount points. */
static int make_directory(const struct jail *jail)
{
    const struct tmpfs directory = {
        .bytes = 65536,
        .inodes = 64,
        .mode = 0755,
        .attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC,
        .owned = 1,
        .uid = jail->plan.header->host_uid,
        .gid = jail->plan.header->host_gid,
    };
    return tmpfs_make(&directory);
}

/* What is not part of the host, whoever opens it. */
static int is_nobodys(const struct stat *node)
{
    return S_ISCHR(node->st_mode) && (major(node->st_rdev) == MEMORY || node->st_rdev == makedev(TERMINALS, 0));
}

int device_make(struct jail *jail, const struct operation *operation)
{
    const char *name = name_of(operation);
    struct stat host;
    if (name == NULL || (jail->shared & SHARED_DEVICES)) return 0;
    if (lstat(operation->data, &host) < 0 || !is_nobodys(&host)) return 0;
    if (jail->devices < 0) jail->devices = make_directory(jail);
    mode_t mode = S_IFCHR | (host.st_mode & 0666);
    if (jail->devices >= 0 && mknodat(jail->devices, name, mode, host.st_rdev) == 0) {
        if (fchmodat(jail->devices, name, mode & 0777, 0) == 0) return 1;
        unlinkat(jail->devices, name, 0);
    }
    jail->shared |= SHARED_DEVICES;
    return 0;
}

int device_take(struct jail *jail, const struct operation *operation)
{
    const char *name = name_of(operation);
    struct stat made;
    if (jail->devices < 0 || name == NULL) return 0;
    if (fstatat(jail->devices, name, &made, AT_SYMLINK_NOFOLLOW) < 0) return errno == ENOENT ? 0 : -errno;
    if (!S_ISCHR(made.st_mode)) return -ENODEV;
    if (jail->devices_stand) return 1;
    int error = mounts_attach(jail, jail->devices, DIRECTORY, 1);
    if (error < 0) return error;
    jail->devices_stand = 1;
    return 1;
}

int devices_seal(const struct jail *jail)
{
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY};
    return jail->devices_stand ? sys_mount_setattr(jail->devices, AT_EMPTY_PATH, &attributes) : 0;
}
