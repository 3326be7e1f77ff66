/* files.c - file access for the control plane, from inside the jail. */
#include "files.h"
#include "sys.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define REMOVE_DEPTH 64 /* directories that are open at one time */
#define PART         ".cordon-part"

static int open_plain(int dir, const char *path, int flags, unsigned mode)
{
    struct open_how how = {
        .flags = (uint64_t)(unsigned)flags | O_CLOEXEC | O_NOFOLLOW,
        .mode = mode,
        .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    return sys_openat2(dir, path, &how);
}

static int describe(int fd, struct wire_filed *answer)
{
    struct stat status;
    if (fstat(fd, &status) < 0) return -errno;
    answer->bytes = (uint64_t)status.st_size;
    answer->mode = status.st_mode;
    answer->modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    return 0;
}

/* Regular files only: a fifo would block the reader, a device would do worse. */
static int open_regular(const char *path, int flags, unsigned mode, struct wire_filed *answer)
{
    SCOPED_FD fd = open_plain(AT_FDCWD, path, flags | O_NONBLOCK | O_NOCTTY, mode);
    if (fd < 0) return fd;
    int error = describe(fd, answer);
    if (error < 0) return error;
    if (!S_ISREG(answer->mode)) return -EINVAL;
    if (flags & O_WRONLY) {
        /* Truncated only now, when it is known to be a file of ours. */
        if (ftruncate(fd, 0) < 0 || fchmod(fd, mode) < 0) return -errno;
    }
    if (fcntl(fd, F_SETFL, flags & O_ACCMODE) < 0) return -errno;
    return fd_take(&fd);
}

int files_write(int fd, const void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t written = write(fd, (const char *)bytes + done, length - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return -errno;
        if (written == 0) return -EIO;
        done += (size_t)written;
    }
    return 0;
}

static int open_parent(const char *path, char *name, size_t room)
{
    char parent[PLAN_MAX_PATH];
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash[1] == 0 || strlen(slash + 1) >= room || strlen(path) >= sizeof parent) return -EINVAL;
    strcpy(name, slash + 1);
    memcpy(parent, path, (size_t)(slash - path));
    parent[slash - path] = 0;
    return open_plain(AT_FDCWD, parent[0] == 0 ? "/" : parent, O_PATH | O_DIRECTORY, 0);
}

/* What may be replaced by a regular file: nothing, or another one. */
static int replaceable(int dir, const char *name)
{
    struct stat status;
    if (fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) < 0) return errno == ENOENT ? 0 : -errno;
    if (S_ISLNK(status.st_mode)) return -ELOOP;
    if (S_ISDIR(status.st_mode)) return -EISDIR;
    return S_ISREG(status.st_mode) ? 0 : -EINVAL;
}

static int store_here(const char *path, unsigned mode, const void *content, size_t length, struct wire_filed *answer)
{
    SCOPED_FD fd = open_regular(path, O_WRONLY | O_CREAT, mode, answer);
    if (fd < 0) return fd;
    int error = files_write(fd, content, length);
    return error < 0 ? error : describe(fd, answer);
}

/* Whether an error means that the directory takes no new name, or not this one: it is another's, or the file is a
 * mount of its own. */
static int fixed(int error)
{
    return error == -EACCES || error == -EPERM || error == -EROFS || error == -EBUSY;
}

static int write_part(int dir, unsigned mode, const void *content, size_t length, struct wire_filed *answer)
{
    unlinkat(dir, PART, 0); /* whoever made it: nobody else is here between two requests */
    SCOPED_FD fd = openat(dir, PART, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0) return -errno;
    if (fchmod(fd, mode) < 0) return -errno;
    int error = files_write(fd, content, length);
    return error < 0 ? error : describe(fd, answer);
}

/* Whole, or not at all: what was there stays until the new content is complete. */
static int store(const char *path, unsigned mode, const void *content, size_t length, struct wire_filed *answer)
{
    char name[256];
    SCOPED_FD parent = open_parent(path, name, sizeof name);
    if (parent < 0) return parent;
    int error = replaceable(parent, name);
    if (error < 0) return error;
    error = write_part(parent, mode, content, length, answer);
    if (error >= 0) error = result(renameat(parent, PART, parent, name));
    if (error >= 0) return 0;
    unlinkat(parent, PART, 0);
    return fixed(error) ? store_here(path, mode, content, length, answer) : error;
}

/* For a target that cannot be replaced because it is a mount of its own. */
static int pour(const char *path, const char *target)
{
    static unsigned char piece[65536];
    struct wire_filed described;
    SCOPED_FD from = open_regular(path, O_RDONLY, 0, &described);
    if (from < 0) return from;
    SCOPED_FD to = open_regular(target, O_WRONLY, described.mode & 0777, &described);
    if (to < 0) return to;
    for (;;) {
        ssize_t got = read(from, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? -errno : 0;
        int error = files_write(to, piece, (size_t)got);
        if (error < 0) return error;
    }
}

static int move_path(const char *path, const char *target)
{
    char name[256];
    char new_name[256];
    SCOPED_FD parent = open_parent(path, name, sizeof name);
    if (parent < 0) return parent;
    SCOPED_FD new_parent = open_parent(target, new_name, sizeof new_name);
    if (new_parent < 0) return new_parent;
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0) return -errno;
    if (!S_ISREG(status.st_mode)) return -EINVAL;
    int error = replaceable(new_parent, new_name);
    if (error < 0) return error;
    error = result(renameat(parent, name, new_parent, new_name));
    if (error != -EBUSY) return error;
    error = pour(path, target);
    return error < 0 ? error : result(unlinkat(parent, name, 0));
}

static int make_directories(const char *path, unsigned mode)
{
    char part[PLAN_MAX_PATH];
    for (const char *slash = path; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        size_t length = slash == NULL ? strlen(path) : (size_t)(slash - path);
        memcpy(part, path, length);
        part[length] = 0;
        char name[256];
        SCOPED_FD parent = open_parent(part, name, sizeof name);
        if (parent < 0) return parent;
        if (mkdirat(parent, name, mode) < 0 && errno != EEXIST) return -errno;
    }
    SCOPED_FD made = open_plain(AT_FDCWD, path, O_PATH | O_DIRECTORY, 0);
    return made < 0 ? made : 0;
}

/* A removal under way. Trees deeper than REMOVE_DEPTH are lifted to the top, piece by piece, and removed there. */
struct removal {
    int top;
    unsigned lifted;
};

static int remove_entry(struct removal *removal, int dir, const char *name, int depth);

static int remove_content(struct removal *removal, int dir, int depth)
{
    DIR *stream = fdopendir(dir);
    if (stream == NULL) {
        int error = -errno;
        close(dir);
        return error;
    }
    int error = 0;
    for (struct dirent *entry = readdir(stream); entry != NULL && error >= 0; entry = readdir(stream)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        error = remove_entry(removal, dirfd(stream), entry->d_name, depth);
    }
    closedir(stream);
    return error;
}

static int lift(struct removal *removal, int dir, const char *name)
{
    char lifted[32];
    snprintf(lifted, sizeof lifted, ".cordon-removed-%u", removal->lifted++);
    return result(renameat(dir, name, removal->top, lifted));
}

static int remove_entry(struct removal *removal, int dir, const char *name, int depth)
{
    if (unlinkat(dir, name, 0) == 0) return 0;
    if (errno != EISDIR && errno != EPERM) return -errno;
    if (unlinkat(dir, name, AT_REMOVEDIR) == 0) return 0;
    if (errno != ENOTEMPTY && errno != EEXIST) return -errno;
    if (depth >= REMOVE_DEPTH) return lift(removal, dir, name);
    int child = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (child < 0) return -errno;
    int error = remove_content(removal, child, depth + 1);
    return error < 0 ? error : result(unlinkat(dir, name, AT_REMOVEDIR));
}

static int remove_path(const char *path)
{
    char name[256];
    SCOPED_FD parent = open_parent(path, name, sizeof name);
    if (parent < 0) return parent;
    struct removal removal = {.top = parent};
    int error = remove_entry(&removal, parent, name, 0);
    for (unsigned done = 0; error >= 0 && done < removal.lifted; done++) {
        snprintf(name, sizeof name, ".cordon-removed-%u", done);
        error = remove_entry(&removal, parent, name, 0);
    }
    return error;
}

static int stat_path(const char *path, struct wire_filed *answer)
{
    SCOPED_FD fd = open_plain(AT_FDCWD, path, O_PATH, 0);
    return fd < 0 ? fd : describe(fd, answer);
}

/* Absolute, and with one NUL, at its end. */
static int is_path(const char *path, size_t bytes)
{
    return bytes > 0 && bytes <= PLAN_MAX_PATH && strnlen(path, bytes) == bytes - 1 && path[0] == '/';
}

static int serve(const struct wire_file *request, const char *path, size_t content, struct wire_filed *answer)
{
    switch ((enum wire_file_op)request->op) {
    case FILE_READ:
        return open_regular(path, O_RDONLY, 0, answer);
    case FILE_WRITE:
    case FILE_RECEIVE:
        return open_regular(path, O_WRONLY | O_CREAT, request->mode & 0777, answer);
    case FILE_DIRECTORY:
        return open_plain(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
    case FILE_MKDIR:
        return make_directories(path, request->mode & 0777);
    case FILE_REMOVE:
        return remove_path(path);
    case FILE_STAT:
        return stat_path(path, answer);
    case FILE_STORE:
        return store(path, request->mode & 0777, path + request->path_bytes, content, answer);
    case FILE_MOVE:
        return is_path(path + request->path_bytes, content) ? move_path(path, path + request->path_bytes) : -EPROTO;
    }
    return -EPROTO;
}

static int opens(uint32_t op)
{
    return op == FILE_READ || op == FILE_WRITE || op == FILE_DIRECTORY || op == FILE_RECEIVE;
}

int files_receives(const struct wire_message *message)
{
    return ((const struct wire_file *)(const void *)message->body)->op == FILE_RECEIVE;
}

void files_serve(const struct wire_message *message, struct wire_filed *answer, int *fd)
{
    *answer = (struct wire_filed){.size = sizeof *answer};
    *fd = -1;
    const struct wire_file *request = (const struct wire_file *)(const void *)message->body;
    const char *path = (const char *)message->body + sizeof *request;
    size_t length = message->header.length;
    int fits = length > sizeof *request && request->size == sizeof *request && request->path_bytes > 0 &&
               request->path_bytes <= length - sizeof *request && is_path(path, request->path_bytes);
    size_t content = fits ? length - sizeof *request - request->path_bytes : 0;
    if (content > 0 && request->op != FILE_STORE && request->op != FILE_MOVE) fits = 0;
    int outcome = fits ? serve(request, path, content, answer) : -EPROTO;
    if (outcome < 0)
        answer->error = -outcome;
    else if (opens(request->op))
        *fd = outcome;
}
