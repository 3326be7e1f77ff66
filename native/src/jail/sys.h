/* sys.h - system calls that musl does not wrap, and small things every file needs. */
#ifndef JAIL_SYS_H
#define JAIL_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof *(array))

/* A descriptor that its scope closes; `fd_take` hands it over. */
#define SCOPED_FD __attribute__((cleanup(fd_close))) int

static inline void fd_close(const int *fd)
{
    if (*fd >= 0) close(*fd);
}

static inline int fd_take(int *fd)
{
    int taken = *fd;
    *fd = -1;
    return taken;
}

/* The error rule of this program: functions return >= 0 or -errno. */
static inline int result(long value)
{
    return value < 0 ? -errno : (int)value;
}

static inline int sys_fsopen(const char *type)
{
    return result(syscall(SYS_fsopen, type, FSOPEN_CLOEXEC));
}

static inline int sys_fsconfig(int fd, unsigned command, const char *key, const char *value)
{
    return result(syscall(SYS_fsconfig, fd, command, key, value, 0));
}

static inline int sys_fsconfig_fd(int fd, const char *key, int value)
{
    return result(syscall(SYS_fsconfig, fd, FSCONFIG_SET_FD, key, NULL, value));
}

static inline int sys_fsmount(int fd, unsigned attributes)
{
    return result(syscall(SYS_fsmount, fd, FSMOUNT_CLOEXEC, attributes));
}

static inline int sys_open_tree(int dir, const char *path, unsigned flags)
{
    return result(syscall(SYS_open_tree, dir, path, flags | OPEN_TREE_CLOEXEC));
}

/* Moves the detached mount `from` onto `path` of `dir`; a link at its end is not followed. */
static inline int sys_move_mount(int from, int dir, const char *path)
{
    return result(syscall(SYS_move_mount, from, "", dir, path, MOVE_MOUNT_F_EMPTY_PATH));
}

static inline int sys_mount_setattr(int fd, unsigned flags, const struct mount_attr *attributes)
{
    return result(syscall(SYS_mount_setattr, fd, "", flags, attributes, sizeof *attributes));
}

static inline int sys_openat2(int dir, const char *path, const struct open_how *how)
{
    return result(syscall(SYS_openat2, dir, path, how, sizeof *how));
}

static inline int sys_pidfd_signal(int pidfd, int signal)
{
    return result(syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0));
}

static inline uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
