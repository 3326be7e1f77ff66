/*
 * watches.c - a small filter beside the job's own, for a jail that shows inodes of the host's (layers.h).
 *
 * Programs take ENOSYS for a kernel without inotify, and look for changes themselves. dnotify (F_NOTIFY) is the same
 * by another door, and syncfs would flush the host's file system. Locks are left: without them databases would not
 * work, and the result says what is shared.
 */
#include "watches.h"
#include "filter.h"
#include "sys.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#define LOAD(field)        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define ANSWER(error)      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))

/* The architecture is the native one, or the job's own filter has refused the call. */
static const struct sock_filter PROGRAM[] = {
    LOAD(nr),
    IF(SYS_inotify_init, 7, 0),
    IF(SYS_inotify_init1, 6, 0),
    IF(SYS_inotify_add_watch, 5, 0),
    IF(SYS_syncfs, 4, 0),
    IF(SYS_fcntl, 0, 2),
    LOAD(args[1]), /* the command, an unsigned int: its low half, which comes first */
    IF(F_NOTIFY, 2, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    ANSWER(ENOSYS),
    ANSWER(EINVAL),
};

int watches_refuse(struct jail *jail)
{
    if (!(jail->shared & SHARED_TREES)) return 0;
    jail->detail = "refusing watches on the host's files";
    struct sock_filter program[ARRAY_LENGTH(PROGRAM)];
    for (size_t i = 0; i < ARRAY_LENGTH(PROGRAM); i++)
        program[i] = PROGRAM[i];
    return filter_stack(&(struct sock_fprog){.len = ARRAY_LENGTH(program), .filter = program});
}
