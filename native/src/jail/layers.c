#include "layers.h"
#include "sources.h"
#include "sys.h"
#include "tmpfs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PLACE            ".layer" /* below the new root, as long as that is being built */
#define OLD_PLACE        "/proc"  /* of the old root, which nobody looks at once the new one is built */
#define MNT_DETACH       2
#define UMOUNT_NOFOLLOW  8
#define LAYER_ATTRIBUTES (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)

/*
 * Attaches a mount to the old root, with which it goes, where nobody looks any more. Not on /sys itself, below which
 * the job's control groups are: that is for the guest of a virtual machine, which has no sysfs and none to show.
 */
static int leave_on_old_root(int mount)
{
    int error = sys_move_mount(mount, AT_FDCWD, "/sys/kernel");
    return error == -ENOENT ? sys_move_mount(mount, AT_FDCWD, "/sys") : error;
}

/* Attaches a detached mount where nobody looks; several stand on each other. */
static int place(struct jail *jail, int mount)
{
    if (leave_on_old_root(mount) >= 0) return 0;
    if (mkdirat(jail->root, PLACE, 0700) < 0 && errno != EEXIST) return -errno;
    int error = sys_move_mount(mount, jail->root, PLACE);
    if (error >= 0) jail->placed++;
    return error;
}

static int place_empty(struct jail *jail)
{
    if (jail->empty_placed) return 0;
    int error = place(jail, jail->empty);
    if (error >= 0) jail->empty_placed = 1;
    return error;
}

/* Keeps a detached mount that nothing needs any more; layers_leave() says why it is not closed at once. */
static void spend(struct jail *jail, int mount)
{
    if (jail->spent_count < ARRAY_LENGTH(jail->spent))
        jail->spent[jail->spent_count++] = mount;
    else
        close(mount);
}

static void drop_layer(struct jail *jail)
{
    if (jail->layer.fd < 0) return;
    int fd = fd_take(&jail->layer.fd);
    if (jail->layer.plain)
        close(fd);
    else
        spend(jail, fd);
}

static int overlay_create(int fs)
{
    int error = sys_fsconfig(fs, FSCONFIG_SET_STRING, "xino", "on"); /* one st_dev, and the host's inode numbers */
    if (error >= 0) error = sys_fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL);
    return error < 0 ? error : sys_fsmount(fs, LAYER_ATTRIBUTES);
}

static int overlay_by_descriptor(int upper, int lower)
{
    SCOPED_FD fs = sys_fsopen("overlay");
    if (fs < 0) return fs;
    int error = sys_fsconfig_fd(fs, "lowerdir+", upper);
    if (error >= 0) error = sys_fsconfig_fd(fs, "lowerdir+", lower);
    return error < 0 ? error : overlay_create(fs);
}

/* mountinfo shows the path of a layer; a detached copy has none to show. */
static int copy_nameless(int directory)
{
    return sys_open_tree(directory, "", AT_EMPTY_PATH | OPEN_TREE_CLONE);
}

/* The host's /proc is still there: the pivot comes later. */
static int overlay_by_name(int upper, int lower)
{
    char layers[64];
    SCOPED_FD fs = sys_fsopen("overlay");
    if (fs < 0) return fs;
    snprintf(layers, sizeof layers, "/proc/self/fd/%d:/proc/self/fd/%d", upper, lower);
    int error = sys_fsconfig(fs, FSCONFIG_SET_STRING, "lowerdir", layers);
    return error < 0 ? error : overlay_create(fs);
}

static int overlays_are_off(const struct jail *jail)
{
#ifdef CORDON_FAULTS
    return jail->plan.header->fault_action == FAULT_PLAIN;
#else
    (void)jail;
    return 0;
#endif
}

/* A detached overlay over `directory`, or -errno: this kernel, or this directory, can't have one. */
static int overlay_make(struct jail *jail, int directory)
{
    if (overlays_are_off(jail)) return -EOPNOTSUPP;
    int empty = tmpfs_empty(jail);
    if (empty < 0) return empty;
    int copy = copy_nameless(directory);
    int overlay = copy < 0 ? copy : overlay_by_descriptor(copy, empty);
    if (copy >= 0) spend(jail, copy);
    if (overlay >= 0) return overlay;
    int error = place_empty(jail);
    return error < 0 ? error : overlay_by_name(directory, empty);
}

int layers_copy_empty(struct jail *jail)
{
    int empty = tmpfs_empty(jail);
    if (empty < 0) return empty;
    int copy = sys_open_tree(empty, "", AT_EMPTY_PATH | OPEN_TREE_CLONE);
    if (copy != -EINVAL) return copy;
    int error = place_empty(jail);
    return error < 0 ? error : sys_open_tree(empty, "", AT_EMPTY_PATH | OPEN_TREE_CLONE);
}

/* What root opened is a mount of root's namespace, of which a user namespace makes no layer until it is attached. */
static int open_directory(struct jail *jail, const struct operation *operation)
{
    SCOPED_FD opened = fd_take(&jail->sources[operation->index]);
    if (opened < 0) return source_find(operation->data, operation->op->bytes);
    int error = place(jail, opened);
    return error < 0 ? error : fd_take(&opened);
}

static int is_current(const struct layer *layer, const struct operation *operation)
{
    size_t length = operation->op->bytes;
    return layer->fd >= 0 && layer->length == length && memcmp(layer->path, operation->data, length) == 0;
}

/* What a kernel answers that makes no overlay of this directory; anything else is a failure like any other. */
static int makes_none(int error)
{
    return error == -ENODEV || error == -EINVAL || error == -EOPNOTSUPP || error == -EPERM || error == -ELOOP;
}

static int open_layer(struct jail *jail, const struct operation *operation)
{
    drop_layer(jail);
    SCOPED_FD directory = open_directory(jail, operation);
    if (directory < 0) return directory;
    int overlay = overlay_make(jail, directory);
    if (overlay < 0 && !makes_none(overlay)) return overlay;
    jail->layer = (struct layer){
        .fd = overlay >= 0 ? overlay : fd_take(&directory),
        .plain = overlay < 0,
        .path = operation->data,
        .length = operation->op->bytes,
    };
    if (jail->layer.plain) jail->shared |= SHARED_TREES;
    return 0;
}

/* A part of the layer, O_PATH. An overlay shows nothing that is mounted below; a bind does. */
static int find_part(const struct layer *layer, const char *part)
{
    struct open_how how = {
        .flags = O_PATH | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    return sys_openat2(layer->fd, part, &how);
}

static int copy_part(const struct layer *layer, const char *part)
{
    SCOPED_FD found = find_part(layer, part);
    return found < 0 ? found : sys_open_tree(found, "", AT_EMPTY_PATH | OPEN_TREE_CLONE);
}

int layer_take(struct jail *jail, const struct operation *operation)
{
    struct layer *layer = &jail->layer;
    int error = is_current(layer, operation) ? 0 : open_layer(jail, operation);
    if (error < 0) return error;
    const char *part = operation->data + layer->length;
    part += *part == '/';
    if (layer->plain) {
        SCOPED_FD found = *part == 0 ? fcntl(layer->fd, F_DUPFD_CLOEXEC, 0) : find_part(layer, part);
        return found < 0 ? found : source_copy(found, operation);
    }
    if (*part == 0) return fd_take(&layer->fd);
    int copy = copy_part(layer, part);
    if (copy != -EINVAL) return copy;
    error = place(jail, layer->fd);
    return error < 0 ? error : copy_part(layer, part);
}

/* The root as it was made so far, over `image`. */
static int overlay_root(struct jail *jail, int image)
{
    SCOPED_FD upper = copy_nameless(jail->root);
    SCOPED_FD lower = copy_nameless(image);
    int overlay = upper < 0 || lower < 0 ? -EINVAL : overlay_by_descriptor(upper, lower);
    return overlay >= 0 ? overlay : overlay_by_name(jail->root, image);
}

int layer_lay_below(struct jail *jail, const struct operation *operation)
{
    drop_layer(jail);
    SCOPED_FD image = open_directory(jail, operation);
    if (image < 0) return image;
    SCOPED_FD overlay = overlay_root(jail, image);
    if (overlay < 0) return overlay;
    int error = layers_done(jail);
    /* Nothing but the new root may stand on the old one's, or the pivot would take away that alone. */
    if (error >= 0) error = leave_on_old_root(jail->root);
    if (error >= 0) error = sys_move_mount(overlay, AT_FDCWD, "/");
    if (error < 0) return error;
    jail->made = jail->root;
    jail->root = fd_take(&overlay);
    return 0;
}

int layers_done(struct jail *jail)
{
    drop_layer(jail);
    if (jail->placed == 0) return 0;
    jail->detail = "taking away " PLACE;
    if (fchdir(jail->root) < 0) return -errno;
    for (; jail->placed > 0; jail->placed--)
        if (syscall(SYS_umount2, PLACE, MNT_DETACH | UMOUNT_NOFOLLOW) < 0) return -errno;
    return result(unlinkat(jail->root, PLACE, AT_REMOVEDIR));
}

void layers_leave(struct jail *jail)
{
    if (jail->empty >= 0) spend(jail, fd_take(&jail->empty));
    for (; jail->spent_count > 0; jail->spent_count--) {
        SCOPED_FD mount = jail->spent[jail->spent_count - 1];
        /* One that is attached already, or that finds no place, is closed at its price. */
        sys_move_mount(mount, AT_FDCWD, OLD_PLACE);
    }
}
