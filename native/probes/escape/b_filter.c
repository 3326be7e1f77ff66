/* b_filter.c - the filter against its written policy, wide arguments and other architectures: B-01 to B-03. */
#include "probe.h"

#include <fcntl.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- B-01: what the policy refuses is refused, with the errno it says ---- */

struct expectation {
    long number;
    int error;
    const char *name;
};

/* Nothing but pointers and numbers that no call can use: EFAULT, EBADF or EINVAL if the call is reached. */
static long call_badly(long number)
{
    return syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
}

static void check_refusal(struct trial *trial, const void *data)
{
    const struct expectation *expected = data;
    setsid(); /* vhangup takes no argument: it must find no terminal */
    long value = call_badly(expected->number);
    if (value < 0 && errno == expected->error)
        tell_denied(trial, expected->name, errno);
    else if (value < 0 && trial->control && (errno == EPERM || errno == ENOSYS))
        tell_denied(trial, expected->name, errno);
    else
        tell_escaped(trial, expected->name, "%s instead of %s", value < 0 ? errno_name(errno) : "success",
                     errno_name(expected->error));
}

/* Arguments: NAME:NUMBER:ERRNO for each call that the profile refuses whatever its arguments are. */
static void compare_policy(struct trial *trial)
{
    for (int i = 0; i < trial->argc; i++) {
        char *name = strtok(trial->argv[i], ":"), *number = strtok(NULL, ":"), *error = strtok(NULL, ":");
        if (error == NULL) continue;
        struct expectation expected = {strtol(number, NULL, 10), (int)strtol(error, NULL, 10), name};
        if (trial->control && (expected.number == SYS_sync || expected.number == SYS_vhangup))
            tell_untried(trial, name, "not made outside: it takes no argument and would concern the whole host");
        else
            try_in_child(trial, name, check_refusal, &expected);
    }
    if (trial->argc == 0) tell_untried(trial, "policy", "no expectation was given");
}

/* ---- B-02: the kernel reads 32 bits of an int, a filter sees 64 ---- */

struct wide {
    const char *name;
    long number;
    unsigned long arguments[4];
    unsigned index;
};

#define BAD ((unsigned long)-1)

static const struct wide WIDE[] = {
    {"socket AF_VSOCK", SYS_socket, {40, SOCK_STREAM, 0}, 0},
    {"socket AF_ALG", SYS_socket, {38, SOCK_SEQPACKET, 0}, 0},
    {"socket AF_PACKET", SYS_socket, {AF_PACKET, SOCK_RAW, 0}, 0},
    {"socket SOCK_RAW", SYS_socket, {AF_INET, SOCK_RAW, 1}, 1},
    {"socket IPPROTO_ICMP", SYS_socket, {AF_INET, SOCK_DGRAM, 1}, 2},
    {"personality", SYS_personality, {ADDR_NO_RANDOMIZE}, 0},
    {"prctl PR_SET_SECCOMP", SYS_prctl, {PR_SET_SECCOMP, 2, BAD}, 0},
    {"ioctl TIOCSTI", SYS_ioctl, {BAD, TIOCSTI, BAD}, 1},
    {"clone CLONE_NEWUSER", SYS_clone, {CLONE_NEWUSER | CLONE_FS, 0, 0, 0}, 0},
    {"clone CLONE_NEWNS", SYS_clone, {CLONE_NEWNS | CLONE_FS, 0, 0, 0}, 0},
    {"mknod device", SYS_mknod, {BAD, S_IFCHR | 0600, 0x101}, 1},
    {"mknodat device", SYS_mknodat, {BAD, BAD, S_IFCHR | 0600, 0x101}, 2},
    {"chmod setuid", SYS_chmod, {BAD, 04755}, 1},
    {"fchmod setuid", SYS_fchmod, {BAD, 04755}, 1},
    {"fchmodat setgid", SYS_fchmodat, {BAD, BAD, 02755}, 2},
    {"open setuid", SYS_open, {BAD, O_CREAT | O_WRONLY, 04755}, 2},
    {"openat setuid", SYS_openat, {BAD, BAD, O_CREAT | O_WRONLY, 04755}, 3},
    {"madvise MADV_MERGEABLE", SYS_madvise, {0, 0, 12}, 2},
    {"prlimit64 of init", SYS_prlimit64, {1, 999, 0, 0}, 0},
    {"sched_setscheduler SCHED_FIFO", SYS_sched_setscheduler, {0, SCHED_FIFO, 0}, 1},
    {"ioprio_set real-time", SYS_ioprio_set, {99, 0, 1u << 13}, 2},
    {"setsockopt TCP_ULP", SYS_setsockopt, {BAD, 6, 31, BAD}, 1},
    {"setsockopt SO_ATTACH_FILTER", SYS_setsockopt, {BAD, 1, 26, BAD}, 2},
};

struct widened {
    const struct wide *call;
    unsigned long upper;
    char attempt[96];
};

static void call_widened(struct trial *trial, const void *data)
{
    const struct widened *widened = data;
    unsigned long a[4];
    memcpy(a, widened->call->arguments, sizeof a);
    a[widened->call->index] |= widened->upper;
    tell_answer(trial, widened->attempt, syscall(widened->call->number, a[0], a[1], a[2], a[3]));
}

static void widen(struct trial *trial)
{
    static const struct {
        unsigned long upper;
        const char *name;
    } UPPER[] = {{0, ""}, {1UL << 32, " | 1<<32"}, {1UL << 63, " | 1<<63"}};
    for (size_t i = 0; i < ARRAY_LENGTH(WIDE); i++)
        for (size_t u = 0; u < ARRAY_LENGTH(UPPER); u++) {
            struct widened widened = {.call = &WIDE[i], .upper = UPPER[u].upper};
            snprintf(widened.attempt, sizeof widened.attempt, "%s%s", WIDE[i].name, UPPER[u].name);
            try_in_child(trial, widened.attempt, call_widened, &widened);
        }
}

/* ---- B-03: other architectures' doors ---- */

static long call_int80(unsigned number, unsigned long first, unsigned long second)
{
    long value;
    __asm__ volatile("int $0x80"
                     : "=a"(value)
                     : "a"(number), "b"(first), "c"(second)
                     : "memory", "r8", "r9", "r10", "r11");
    return value;
}

/* The i386 entry answers -errno in 32 bits. */
static void tell_foreign(struct trial *trial, const char *attempt, long value)
{
    int answer = (int)value;
    if (answer == -ENOSYS || answer == -EPERM) {
        tell_denied(trial, attempt, -answer);
        return;
    }
    tell_escaped(trial, attempt, "the kernel answered %d", answer);
}

static void try_getpid(struct trial *trial, const void *unused)
{
    (void)unused;
    tell_foreign(trial, "int 0x80 getpid", call_int80(20, 0, 0));
}

/* socketcall hides the family behind a pointer, which has to fit 32 bits. */
static void try_socketcall(struct trial *trial, const void *unused)
{
    (void)unused;
    uint32_t *arguments = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (arguments == MAP_FAILED) {
        tell_untried(trial, "int 0x80 socketcall", "mmap: %s", errno_name(errno));
        return;
    }
    arguments[0] = AF_NETLINK;
    arguments[1] = SOCK_RAW;
    arguments[2] = 0;
    tell_foreign(trial, "int 0x80 socketcall", call_int80(102, 1, (unsigned long)arguments));
}

static void try_x32(struct trial *trial, const void *unused)
{
    (void)unused;
    tell_answer(trial, "x32 getpid", syscall(0x40000000L | SYS_getpid));
}

/* An i386 ELF file: one segment, and the code exit(10). */
static const unsigned char I386_PROGRAM[] = {
    0x7f, 'E',  'L', 'F', 1, 1, 1, 0, 0,    0,    0,    0,    0,    0,    0,    0, /* 32 bits, little-endian */
    2,    0,    3,   0,   1, 0, 0, 0, 0x54, 0x80, 0x04, 0x08, 0x34, 0,    0,    0, /* i386, entry, headers */
    0,    0,    0,   0,   0, 0, 0, 0, 0x34, 0,    0x20, 0,    1,    0,    0,    0,    0,    0, 0, 0, /* end of the
                                                                                                        file header */
    1,    0,    0,   0,   0, 0, 0, 0, 0,    0x80, 0x04, 0x08, 0,    0x80, 0x04, 0x08, 0x60, 0, 0, 0, 0x60,
    0,    0,    0,   5,   0, 0, 0, 0, 0x10, 0,    0,    0xb8, 1,    0,    0,    0, /* mov eax, 1 */
    0xbb, 10,   0,   0,   0,                                                       /* mov ebx, 10 */
    0xcd, 0x80,                                                                    /* int 0x80 */
};

static void try_i386_program(struct trial *trial, const void *data)
{
    (void)data;
    int file = (int)syscall(SYS_memfd_create, "i386", 0);
    if (file < 0 || write(file, I386_PROGRAM, sizeof I386_PROGRAM) != (ssize_t)sizeof I386_PROGRAM) {
        tell_untried(trial, "i386 program", "memfd: %s", errno_name(errno));
        return;
    }
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    char *const argv[] = {"i386", NULL};
    char *const none[] = {NULL};
    execve(path, argv, none);
    tell_denied(trial, "i386 program", errno == ENOEXEC && trial->control ? ENOSYS : errno);
}

static void run_i386(struct trial *trial)
{
    pid_t pid = fork();
    if (pid == 0) {
        try_i386_program(trial, NULL);
        _exit(0);
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        tell_denied_as(trial, "i386 program", "killed by SIGSYS");
    else if (WIFSIGNALED(status))
        tell_untried(trial, "i386 program", "died of signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) == 10)
        tell_escaped(trial, "i386 program", "it ran and made a system call");
}

static void use_other_doors(struct trial *trial)
{
    try_in_child(trial, "int 0x80 getpid", try_getpid, NULL);
    try_in_child(trial, "int 0x80 socketcall", try_socketcall, NULL);
    try_in_child(trial, "x32 getpid", try_x32, NULL);
    run_i386(trial);
}

const struct probe B_FILTER[] = {
    {"B-01", "calls that the profile refuses", compare_policy},
    {"B-02", "arguments wider than the kernel reads", widen},
    {"B-03", "32-bit and x32 system calls", use_other_doors},
    {NULL, NULL, NULL},
};
