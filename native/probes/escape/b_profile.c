/* b_profile.c - what no profile can give, tried under one that allows everything: B-14. */
#include "probe.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SET_ID 06755

/* Argument: a directory of the host that the job may write to. */
static const char *place(struct trial *trial, char *path, size_t room)
{
    snprintf(path, room, "%s/program", argument(trial, 0, "/tmp"));
    return path;
}

/* A success that left no set-id bit is none. */
static void tell_mode(struct trial *trial, const char *attempt, const char *path, long value)
{
    struct stat status;
    int error = errno;
    if (value < 0)
        tell_denied(trial, attempt, error);
    else if (stat(path, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0)
        tell_escaped(trial, attempt, "%s has mode %o", path, status.st_mode & 07777);
    else
        tell_denied_as(trial, attempt, "no set-id bit was left");
    unlink(path);
}

static int made(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
}

static void leave_set_id(struct trial *trial)
{
    char path[256];
    place(trial, path, sizeof path);
    umask(0);
    close(made(path));
    tell_mode(trial, "chmod", path, syscall(SYS_chmod, path, SET_ID));
    int fd = made(path);
    tell_mode(trial, "fchmod", path, syscall(SYS_fchmod, fd, SET_ID));
    close(fd);
    close(made(path));
    tell_mode(trial, "fchmodat", path, syscall(SYS_fchmodat, AT_FDCWD, path, SET_ID));
    long opened = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC, SET_ID);
    tell_mode(trial, "openat", path, opened);
    struct {
        uint64_t flags, mode, resolve;
    } how = {O_WRONLY | O_CREAT | O_CLOEXEC, SET_ID, 0};
    tell_mode(trial, "openat2", path, syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how));
    tell_mode(trial, "creat", path, syscall(SYS_creat, path, SET_ID));
    tell_mode(trial, "mknod", path, syscall(SYS_mknod, path, S_IFREG | SET_ID, 0));
    tell_mode(trial, "mknodat", path, syscall(SYS_mknodat, AT_FDCWD, path, S_IFREG | SET_ID, 0));
}

/* In a child, for a filter stays. */
static void install(struct trial *trial, const void *data)
{
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = 1, .filter = &allow};
    (void)data;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    tell_call(trial, "prctl(PR_SET_SECCOMP)", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
    tell_call(trial, "seccomp", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

static void widen_profile(struct trial *trial)
{
    leave_set_id(trial);
    try_in_child(trial, "filters of its own", install, NULL);
}

const struct probe B_PROFILE[] = {
    {"B-14", "a profile that allows everything", widen_profile},
    {NULL, NULL, NULL},
};
