/* sources.c - opening what is bound into the jail, as detached copies of the host's mounts. */
#include "sources.h"
#include "devices.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>

#ifndef MS_PRIVATE
#define MS_PRIVATE (1 << 18)
#endif

static struct mount_attr attributes_of(const struct operation *operation)
{
    unsigned set = MOUNT_ATTR_NOSUID;
    if (operation->op->code == OP_DEVICE) {
        set |= MOUNT_ATTR_NOEXEC;
    } else {
        set |= MOUNT_ATTR_NODEV;
        if (!(operation->op->flags & BIND_WRITABLE)) set |= MOUNT_ATTR_RDONLY;
        if (operation->op->flags & BIND_NOEXEC) set |= MOUNT_ATTR_NOEXEC;
    }
    return (struct mount_attr){.attr_set = set, .propagation = MS_PRIVATE};
}

int source_is_bind(const struct operation *operation)
{
    return operation->op->code == OP_BIND || operation->op->code == OP_DEVICE;
}

/* The control plane resolved the path before it judged it: a link that is there now was put there since. */
int source_find(const char *path, size_t length)
{
    char text[PLAN_MAX_PATH];
    if (length >= sizeof text) return -ENAMETOOLONG;
    memcpy(text, path, length);
    text[length] = 0;
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    return sys_openat2(AT_FDCWD, text, &how);
}

int source_copy(int path, const struct operation *operation)
{
    SCOPED_FD tree = sys_open_tree(path, "", AT_EMPTY_PATH | AT_RECURSIVE | OPEN_TREE_CLONE);
    if (tree < 0) return tree;
    struct mount_attr attributes = attributes_of(operation);
    int error = sys_mount_setattr(tree, AT_EMPTY_PATH | AT_RECURSIVE, &attributes);
    return error < 0 ? error : fd_take(&tree);
}

int source_open(const struct operation *operation)
{
    SCOPED_FD path = source_find(operation->data, strlen(operation->data));
    return path < 0 ? path : source_copy(path, operation);
}

/* Without what is mounted below it: an overlay would not show that, and each has an operation of its own. */
static int layer_open(const struct operation *operation)
{
    SCOPED_FD path = source_find(operation->data, operation->op->bytes);
    if (path < 0) return path;
    SCOPED_FD tree = sys_open_tree(path, "", AT_EMPTY_PATH | OPEN_TREE_CLONE);
    if (tree < 0) return tree;
    struct mount_attr attributes = attributes_of(operation);
    int error = sys_mount_setattr(tree, AT_EMPTY_PATH, &attributes);
    return error < 0 ? error : fd_take(&tree);
}

static int is_own(const struct operation *operation)
{
    return operation->op->code == OP_BIND && (operation->op->flags & BIND_OWN);
}

/* Whether its layer is opened for another one. */
static int is_of_layer(const struct operation *operation, const struct operation *last)
{
    size_t length = operation->op->bytes;
    return last->op != NULL && is_own(operation) && is_own(last) && last->op->bytes == length &&
           memcmp(last->data, operation->data, length) == 0;
}

/* What init can open as well as root, and what is made instead of being opened. */
static int is_left_out(struct jail *jail, const struct operation *operation)
{
    if (!source_is_bind(operation)) return 1;
    if (operation->op->code == OP_DEVICE) return device_make(jail, operation);
    return is_own(operation) && (operation->op->flags & BIND_OPEN);
}

int sources_open(struct jail *jail)
{
    for (size_t i = 0; i < ARRAY_LENGTH(jail->sources); i++)
        jail->sources[i] = -1;
    if (!jail_is_namespaced(jail) || jail->plan.header->ids != IDS_SLOT) return 0;
    struct operation operation;
    struct operation last = {0};
    for (size_t offset = 0; plan_next(&jail->plan, &offset, &operation);) {
        int opened = is_of_layer(&operation, &last);
        if (is_own(&operation)) last = operation;
        if (opened || is_left_out(jail, &operation)) continue;
        jail->operation = operation.index;
        jail->detail = operation.data;
        int fd = is_own(&operation) ? layer_open(&operation) : source_open(&operation);
        if (fd < 0) return fd;
        jail->sources[operation.index] = fd;
    }
    return 0;
}

void sources_close(struct jail *jail)
{
    if (jail->devices >= 0) close(fd_take(&jail->devices));
    for (uint32_t i = 0; i < jail->plan.header->op_count; i++)
        if (jail->sources[i] >= 0) close(fd_take(&jail->sources[i]));
}
