/* tmpfs.c - file systems in memory, always with a size and a number of files. */
#include "tmpfs.h"
#include "sys.h"

#include <stdio.h>

static int set_number(int fs, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return sys_fsconfig(fs, FSCONFIG_SET_STRING, key, text);
}

static int set_mode(int fs, uint32_t mode)
{
    char text[24];
    snprintf(text, sizeof text, "%o", mode);
    return sys_fsconfig(fs, FSCONFIG_SET_STRING, "mode", text);
}

int tmpfs_make(const struct tmpfs *wanted)
{
    if (wanted->bytes == 0 || wanted->inodes == 0) return -EINVAL;
    SCOPED_FD fs = sys_fsopen("tmpfs");
    if (fs < 0) return fs;
    int error = set_number(fs, "size", wanted->bytes);
    if (error >= 0) error = set_number(fs, "nr_inodes", wanted->inodes);
    if (error >= 0) error = set_mode(fs, wanted->mode);
    if (error >= 0 && wanted->owned) error = set_number(fs, "uid", wanted->uid);
    if (error >= 0 && wanted->owned) error = set_number(fs, "gid", wanted->gid);
    if (error >= 0) error = sys_fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL);
    return error < 0 ? error : sys_fsmount(fs, wanted->attributes);
}

/* A file system of its own for every directory that is hidden would cost more than all other covers together. */
int tmpfs_empty(struct jail *jail)
{
    static const struct tmpfs empty = {
        .bytes = 4096,
        .inodes = 1,
        .mode = 0555,
        .attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC,
    };
    if (jail->empty < 0) jail->empty = tmpfs_make(&empty);
    return jail->empty;
}
