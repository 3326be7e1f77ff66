/* mounts.c - building the jail's root: the plan's operations, applied by one loop. */
#include "mounts.h"
#include "devices.h"
#include "layers.h"
#include "sources.h"
#include "sys.h"
#include "tmpfs.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#define TMPFS_MAGIC   0x01021994
#define OVERLAY_MAGIC 0x794c7630
#define MNT_DETACH    2

int mounts_make_private(struct jail *jail)
{
    (void)jail;
    return result(syscall(SYS_mount, NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
}

int mounts_make_root(struct jail *jail)
{
    const struct plan_header *header = jail->plan.header;
    const struct tmpfs wanted = {
        .bytes = header->root_bytes,
        .inodes = header->root_inodes,
        .mode = 0755,
        .attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
    };
    SCOPED_FD root = tmpfs_make(&wanted);
    if (root < 0) return root;
    int error = sys_move_mount(root, AT_FDCWD, "/");
    if (error < 0) return error;
    jail->root = fd_take(&root);
    return 0;
}

/* Opens below the new root. Nothing there is a link that we have to follow, and nothing may lead out. */
static int open_inside(const struct jail *jail, const char *path, int flags)
{
    struct open_how how = {
        .flags = (uint64_t)(unsigned)flags | O_CLOEXEC,
        .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    return sys_openat2(jail->root, path, &how);
}

/* The directory that holds `path`, which stays the jail's; *name is set to the last component. */
static int find_parent(struct jail *jail, const char *path, const char **name)
{
    char parent[PLAN_MAX_PATH];
    const char *slash = strrchr(path, '/');
    size_t length = (size_t)(slash - path);
    *name = slash + 1;
    if (jail->parent.fd >= 0 && jail->parent.length == length && memcmp(jail->parent.path, path, length) == 0)
        return jail->parent.fd;
    memcpy(parent, path, length);
    parent[length] = 0;
    if (jail->parent.fd >= 0) close(fd_take(&jail->parent.fd));
    jail->parent.fd = open_inside(jail, length == 0 ? "/" : parent, O_PATH | O_DIRECTORY);
    jail->parent.path = path; /* in the plan, which stays */
    jail->parent.length = length;
    return jail->parent.fd;
}

static int existing_is_fine(int error)
{
    return error == -EEXIST ? 0 : error;
}

/* Makes the directory or empty file that something is mounted on, then mounts. */
int mounts_attach(struct jail *jail, int mount, const char *path, int directory)
{
    const char *name;
    int parent = find_parent(jail, path, &name);
    if (parent < 0) return parent;
    int error = directory ? result(mkdirat(parent, name, 0755)) : result(mknodat(parent, name, S_IFREG | 0444, 0));
    error = existing_is_fine(error);
    if (error >= 0) error = sys_move_mount(mount, parent, name);
    return error;
}

static int apply_dir(struct jail *jail, const struct operation *operation)
{
    const char *name;
    int parent = find_parent(jail, operation->path, &name);
    if (parent < 0) return parent;
    int error = result(mkdirat(parent, name, operation->op->mode));
    if (error == -EEXIST) return 0;
    /* mkdir applies the umask and drops the sticky bit of nobody; say it again exactly. */
    return error < 0 ? error : result(fchmodat(parent, name, operation->op->mode, 0));
}

static int apply_file(struct jail *jail, const struct operation *operation)
{
    const char *name;
    int parent = find_parent(jail, operation->path, &name);
    if (parent < 0) return parent;
    SCOPED_FD file = result(openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (file < 0) return file;
    size_t length = operation->data == NULL ? 0 : operation->data_length;
    ssize_t written = length == 0 ? 0 : write(file, operation->data, length);
    if (written < 0) return -errno;
    if ((size_t)written != length) return -ENOSPC;
    return result(fchmod(file, operation->op->mode & 0777));
}

static int apply_symlink(struct jail *jail, const struct operation *operation)
{
    const char *name;
    int parent = find_parent(jail, operation->path, &name);
    if (parent < 0) return parent;
    int error = result(symlinkat(operation->data, parent, name));
    return jail->made >= 0 ? existing_is_fine(error) : error; /* made before the root was read-only */
}

static int open_source(struct jail *jail, const struct operation *operation)
{
    if (operation->op->code == OP_BIND && (operation->op->flags & BIND_OWN)) return layer_take(jail, operation);
    int source = fd_take(&jail->sources[operation->index]);
    return source < 0 ? source_open(operation) : source;
}

static int apply_bind(struct jail *jail, const struct operation *operation)
{
    if (operation->op->code == OP_BIND && (operation->op->flags & BIND_SHARED)) jail->shared |= SHARED_TREES;
    SCOPED_FD source = open_source(jail, operation);
    if (source < 0) {
        jail->detail = operation->data;
        return source;
    }
    struct stat status;
    if (fstat(source, &status) < 0) return -errno;
    if (operation->op->code == OP_DEVICE && !S_ISCHR(status.st_mode)) return -ENODEV;
    return mounts_attach(jail, source, operation->path, S_ISDIR(status.st_mode));
}

static int apply_image(struct jail *jail, const struct operation *operation)
{
    if (jail->parent.fd >= 0) close(fd_take(&jail->parent.fd));
    int error = layer_lay_below(jail, operation);
    if (error < 0) jail->detail = "the image below the root";
    return error;
}

static int apply_device(struct jail *jail, const struct operation *operation)
{
    int taken = device_take(jail, operation);
    return taken == 0 ? apply_bind(jail, operation) : taken;
}

static int apply_tmpfs(struct jail *jail, const struct operation *operation)
{
    const struct plan_op *op = operation->op;
    const struct tmpfs wanted = {
        .bytes = op->bytes,
        .inodes = op->inodes,
        .mode = op->mode,
        .attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (op->flags & BIND_NOEXEC ? MOUNT_ATTR_NOEXEC : 0),
        .owned = 1,
        .uid = jail->plan.header->inside_uid,
        .gid = jail->plan.header->inside_gid,
    };
    SCOPED_FD mount = tmpfs_make(&wanted);
    return mount < 0 ? mount : mounts_attach(jail, mount, operation->path, 1);
}

static int apply_special(struct jail *jail, const char *path, const char *type, const char *const (*options)[2],
                         size_t count)
{
    SCOPED_FD fs = sys_fsopen(type);
    if (fs < 0) return fs;
    int error = 0;
    for (size_t i = 0; i < count && error >= 0; i++)
        error = sys_fsconfig(fs, FSCONFIG_SET_STRING, options[i][0], options[i][1]);
    if (error >= 0) error = sys_fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL);
    if (error < 0) return error;
    unsigned attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
    if (strcmp(type, "proc") == 0) attributes |= MOUNT_ATTR_NODEV;
    SCOPED_FD mount = sys_fsmount(fs, attributes);
    return mount < 0 ? mount : mounts_attach(jail, mount, path, 1);
}

static int apply_proc(struct jail *jail, const struct operation *operation)
{
    static const char *const options[][2] = {{"hidepid", "2"}};
    return apply_special(jail, operation->path, "proc", options, ARRAY_LENGTH(options));
}

/* The kernel's pool of terminals is one for all jails, about 3,000. */
#define MOST_TERMINALS "64"

static int apply_devpts(struct jail *jail, const struct operation *operation)
{
    static const char *const options[][2] = {{"ptmxmode", "0666"}, {"mode", "0620"}, {"max", MOST_TERMINALS}};
    return apply_special(jail, operation->path, "devpts", options, ARRAY_LENGTH(options));
}

static int apply_sysctl(const struct jail *jail, const struct operation *operation)
{
    SCOPED_FD file = open_inside(jail, operation->path, O_WRONLY);
    if (file < 0) return file;
    ssize_t written = write(file, operation->data, operation->data_length);
    if (written < 0) return -errno;
    return (size_t)written == operation->data_length ? 0 : -EIO;
}

static int is_null_device(const struct stat *status)
{
    return S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3);
}

/* What can be written to until the pivot: an image that is laid below makes the root itself read-only. */
static int made_root(const struct jail *jail)
{
    return jail->made >= 0 ? jail->made : jail->root;
}

/* A file of the root that loses its name as soon as it covers another. */
#define COVER ".cover"

static int file_cover(const struct jail *jail, const struct operation *operation)
{
    struct mount_attr attributes = {.attr_set =
                                        MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC};
    int made = made_root(jail);
    SCOPED_FD file = result(openat(made, COVER, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0444));
    if (file < 0) return file;
    ssize_t written = write(file, operation->data, operation->data_length);
    SCOPED_FD cover = sys_open_tree(made, COVER, OPEN_TREE_CLONE);
    if (cover < 0) return cover;
    if (written < 0 || (size_t)written != operation->data_length) return -ENOSPC;
    int error = sys_mount_setattr(cover, AT_EMPTY_PATH, &attributes);
    return error < 0 ? error : fd_take(&cover);
}

/* A cover that is not what we think it is would hide nothing (CVE-2025-31133). */
static int checked_null(struct jail *jail)
{
    struct stat status;
    if (jail->null >= 0) return jail->null;
    SCOPED_FD null = open_inside(jail, "/dev/null", O_PATH);
    if (null < 0) return null;
    if (fstat(null, &status) < 0) return -errno;
    if (!is_null_device(&status)) return -ENODEV;
    return jail->null = fd_take(&null);
}

/* A detached mount of an empty directory, of a file with the operation's content, or of the null device. */
static int make_cover(struct jail *jail, const struct operation *operation, int directory)
{
    if (directory) return layers_copy_empty(jail);
    if (operation->data_length > 0) return file_cover(jail, operation);
    int null = checked_null(jail);
    return null < 0 ? null : sys_open_tree(null, "", AT_EMPTY_PATH | OPEN_TREE_CLONE);
}

static int apply_mask(struct jail *jail, const struct operation *operation)
{
    SCOPED_FD target = open_inside(jail, operation->path, O_PATH);
    if (target == -ENOENT) return 0;
    if (target < 0) return target;
    struct stat status;
    if (fstat(target, &status) < 0) return -errno;
    int directory = S_ISDIR(status.st_mode);
    SCOPED_FD cover = make_cover(jail, operation, directory);
    if (cover < 0) return cover;
    if (syscall(SYS_move_mount, cover, "", target, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) < 0)
        return -errno;
    return operation->data_length > 0 && !directory ? result(unlinkat(made_root(jail), COVER, 0)) : 0;
}

static int apply_readonly(const struct jail *jail, const struct operation *operation)
{
    SCOPED_FD target = open_inside(jail, operation->path, O_PATH);
    if (target == -ENOENT) return 0;
    if (target < 0) return target;
    SCOPED_FD copy = sys_open_tree(target, "", AT_EMPTY_PATH | AT_RECURSIVE | OPEN_TREE_CLONE);
    if (copy < 0) return copy;
    struct mount_attr attributes = {.attr_set =
                                        MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC};
    int error = sys_mount_setattr(copy, AT_EMPTY_PATH | AT_RECURSIVE, &attributes);
    if (error < 0) return error;
    return result(syscall(SYS_move_mount, copy, "", target, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH));
}

static int apply_seal(struct jail *jail)
{
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY};
    int error = layers_done(jail);
    if (error >= 0) error = devices_seal(jail);
    return error < 0 ? error : sys_mount_setattr(jail->root, AT_EMPTY_PATH, &attributes);
}

static int apply(struct jail *jail, const struct operation *operation)
{
    switch (operation->op->code) {
    case OP_DIR:
        return apply_dir(jail, operation);
    case OP_FILE:
        return apply_file(jail, operation);
    case OP_SYMLINK:
        return apply_symlink(jail, operation);
    case OP_BIND:
        return plan_is_root(operation) ? apply_image(jail, operation) : apply_bind(jail, operation);
    case OP_DEVICE:
        return apply_device(jail, operation);
    case OP_TMPFS:
        return apply_tmpfs(jail, operation);
    case OP_PROC:
        return apply_proc(jail, operation);
    case OP_DEVPTS:
        return apply_devpts(jail, operation);
    case OP_SYSCTL:
        return apply_sysctl(jail, operation);
    case OP_MASK:
        return apply_mask(jail, operation);
    case OP_READONLY:
        return apply_readonly(jail, operation);
    case OP_SEAL:
        return apply_seal(jail);
    case OP_LANDLOCK:
        return 0; /* landlock.c, after the pivot */
    default:
        return -EPROTO;
    }
}

int mounts_apply(struct jail *jail)
{
    struct operation operation;
    for (size_t offset = 0; plan_next(&jail->plan, &offset, &operation);) {
        jail->operation = operation.index;
        jail->detail = operation.path;
        int error = apply(jail, &operation);
        if (error < 0) return error;
    }
    if (jail->parent.fd >= 0) close(fd_take(&jail->parent.fd));
    if (jail->null >= 0) close(fd_take(&jail->null));
    layers_leave(jail);
    jail->detail = "something of the host would stay";
    return jail->placed == 0 ? 0 : -EPROTO; /* a plan without a seal */
}

/* Whether nothing stands on the root: `..` at the root leads to whatever does. */
static int root_is_last(void)
{
    struct stat root;
    struct stat above;
    if (stat("/", &root) < 0 || stat("/..", &above) < 0) return -errno;
    return root.st_dev == above.st_dev && root.st_ino == above.st_ino ? 0 : -EXDEV;
}

int mounts_pivot(struct jail *jail)
{
    if (fchdir(jail->root) < 0) return -errno;
    if (syscall(SYS_pivot_root, ".", ".") < 0) return -errno;
    if (syscall(SYS_umount2, ".", MNT_DETACH) < 0) return -errno;
    if (chdir("/") < 0) return -errno;
    close(fd_take(&jail->root));
    unsigned long expected = jail->made >= 0 ? OVERLAY_MAGIC : TMPFS_MAGIC;
    if (jail->made >= 0) close(fd_take(&jail->made));
    struct statfs root;
    if (statfs("/", &root) < 0) return -errno;
    jail->detail = "the new root is not the jail's own";
    if ((unsigned long)root.f_type != expected) return -EXDEV;
    jail->detail = "something of the host stands on the new root";
    return root_is_last();
}
