/* observe.c - see observe.h. */
#include "observe.h"
#include "filter.h"
#include "notify.h"
#include "sys.h"
#include "wire.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define MAX_KINDS 8192 /* of all calls together */
#define X32_BIT   0x40000000

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
#define SYNC_WAKE_UP 1 /* Linux 6.6: whoever answers and who waits are not to run on two processors */

/* ---- the supervisor's side ---- */

struct kind {
    uint64_t arguments[6];
    int next; /* in `kinds`; -1: none */
};

/* What is known of one system call. */
struct call {
    uint64_t masks[6];
    uint32_t error;
    uint32_t count;
    int first; /* in `kinds`; -1: none */
    int told_more;
};

struct observer {
    struct call calls[OBSERVE_MAX_SYSCALL];
    struct kind kinds[MAX_KINDS];
    int used;
};

static int add_rules(struct observer *observer, const struct observe_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rules[i].syscall >= OBSERVE_MAX_SYSCALL || rules[i].error > 4095) return -EPROTO;
        struct call *call = &observer->calls[rules[i].syscall];
        memcpy(call->masks, rules[i].masks, sizeof call->masks);
        call->error = rules[i].error;
    }
    return 0;
}

static int read_rules(struct observer *observer, int fd)
{
    struct stat status;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_WRITE)) return -EPROTO;
    if (fstat(fd, &status) < 0) return -errno;
    size_t bytes = (size_t)status.st_size;
    size_t count = bytes / sizeof(struct observe_rule);
    if (bytes % sizeof(struct observe_rule) != 0 || count > OBSERVE_MAX_SYSCALL) return -EPROTO;
    struct observe_rule *rules = malloc(bytes == 0 ? 1 : bytes);
    if (rules == NULL) return -ENOMEM;
    ssize_t got = pread(fd, rules, bytes, 0);
    int error = got < 0 ? -errno : (size_t)got != bytes ? -EPROTO : add_rules(observer, rules, count);
    free(rules);
    return error;
}

struct observer *observer_open(int rules, int *error)
{
    struct observer *observer = calloc(1, sizeof *observer);
    *error = observer == NULL ? -ENOMEM : 0;
    if (observer == NULL) return NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(observer->calls); i++)
        observer->calls[i].first = -1;
    *error = read_rules(observer, rules);
    if (*error == 0) return observer;
    free(observer);
    return NULL;
}

/* Whether these arguments are new; *more when there are so many that they are no longer told apart. */
static int is_news(struct observer *observer, struct call *call, const uint64_t *arguments, int *more)
{
    for (int at = call->first; at >= 0; at = observer->kinds[at].next)
        if (memcmp(observer->kinds[at].arguments, arguments, sizeof observer->kinds[at].arguments) == 0) return 0;
    *more = call->count >= OBSERVE_MAX_KINDS || observer->used >= MAX_KINDS;
    if (*more) {
        int told = call->told_more;
        call->told_more = 1;
        return !told;
    }
    struct kind *kind = &observer->kinds[observer->used];
    memcpy(kind->arguments, arguments, sizeof kind->arguments);
    kind->next = call->first;
    call->first = observer->used++;
    call->count++;
    return 1;
}

static int examine(struct observer *observer, const struct seccomp_notif *notice, struct wire_observed *observed)
{
    struct call *call = &observer->calls[notice->data.nr];
    *observed = (struct wire_observed){.size = sizeof *observed, .syscall = notice->data.nr};
    for (int i = 0; i < 6; i++)
        observed->arguments[i] = notice->data.args[i] & call->masks[i];
    int more = 0;
    if (!is_news(observer, call, observed->arguments, &more)) return 0;
    if (more) observed->flags = OBSERVED_MORE;
    notify_name((int)notice->pid, observed->comm, sizeof observed->comm);
    return 1;
}

int observer_take(struct observer *observer, int listener, struct wire_observed *observed)
{
    struct seccomp_notif notice;
    memset(&notice, 0, sizeof notice); /* the kernel refuses a used one */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice) < 0) return 0;
    struct seccomp_notif_resp answer = {.id = notice.id};
    int told = 0;
    if (notice.data.nr < 0 || notice.data.nr >= OBSERVE_MAX_SYSCALL) {
        answer.error = -ENOSYS;
    } else {
        told = examine(observer, &notice, observed);
        answer.error = -(int)observer->calls[notice.data.nr].error;
        if (answer.error == 0) answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    return told;
}

void observer_attach(int listener)
{
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP);
}

/* ---- the command's side ---- */

/*
 * The message with the listener must pass the filter that it is about. It has this in the upper half of the flags'
 * register, which the kernel cuts off; nobody else's call has.
 */
#define PASSWORD 0x63726472u

#define LOAD(field)             BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UPPER(index)            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]) + 4)
#define EQUAL(value, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, otherwise)
#define ANSWER(action)          BPF_STMT(BPF_RET | BPF_K, action)

/* A filter of the command's own could take calls out of our sight: the supervisor refuses seccomp, this prctl. */
static const struct sock_filter NOTIFY_OF_ALL[] = {
    LOAD(arch),
    EQUAL(AUDIT_ARCH_X86_64, 2),
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    EQUAL(SYS_sendmsg, 3),
    UPPER(2),
    EQUAL(PASSWORD, 5),
    ANSWER(SECCOMP_RET_ALLOW),
    EQUAL(SYS_prctl, 3),
    LOAD(args[0]),
    EQUAL(PR_SET_SECCOMP, 1),
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
    ANSWER(SECCOMP_RET_USER_NOTIF),
};

static int send_listener(int control, int listener)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } ancillary = {0};
    struct wire_header header = {.version = WIRE_VERSION, .type = WIRE_LISTENER, .fd_count = 1};
    struct iovec part = {&header, sizeof header};
    struct msghdr packet = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = &ancillary,
        .msg_controllen = sizeof ancillary,
    };
    ancillary.header.cmsg_level = SOL_SOCKET;
    ancillary.header.cmsg_type = SCM_RIGHTS;
    ancillary.header.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&ancillary.header), &listener, sizeof listener);
    return result(syscall(SYS_sendmsg, control, &packet, (uint64_t)PASSWORD << 32 | MSG_NOSIGNAL));
}

int observed_become(int control)
{
    struct sock_fprog program = {
        .len = ARRAY_LENGTH(NOTIFY_OF_ALL),
        .filter = (struct sock_filter *)NOTIFY_OF_ALL,
    };
    int listener = filter_listen(&program);
    if (listener < 0) return listener;
    return send_listener(control, listener);
}
