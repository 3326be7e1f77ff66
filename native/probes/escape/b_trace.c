/* b_trace.c - a job that may trace its own processes goes around its filter, or at init: B-16. */
#include "probe.h"

#include <linux/keyctl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PTRACE_O_SUSPEND_SECCOMP
#define PTRACE_O_SUSPEND_SECCOMP (1 << 21)
#endif

/* What the tracer makes of a harmless call of its child's. */
struct exchange {
    const char *name;
    unsigned long long number;
    unsigned long long arguments[3];
};

static const struct exchange EXCHANGES[] = {
    {"keyctl by a tracer", SYS_keyctl, {KEYCTL_GET_KEYRING_ID, (unsigned long long)KEY_SPEC_PROCESS_KEYRING, 1}},
    {"AF_VSOCK by a tracer", SYS_socket, {40, SOCK_STREAM, 0}},
    {"AF_ALG by a tracer", SYS_socket, {38, SOCK_SEQPACKET, 0}},
    {"unshare by a tracer", SYS_unshare, {CLONE_NEWUSER, 0, 0}},
};

/* A child that stops, and makes one harmless call when it goes on. */
static pid_t traced(void)
{
    pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0) _exit(errno);
    raise(SIGSTOP);
    syscall(SYS_getppid);
    _exit(0);
}

static int stops(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return 0;
    return WIFSTOPPED(status);
}

/* Lets the child run to its call, and exchanges that; -1 when the child could not be led there. */
static int exchange(pid_t child, const struct exchange *wanted, long *answer)
{
    struct user_regs_struct registers;
    if (!stops(child)) return -1;
    for (;;) {
        if (ptrace(PTRACE_SYSCALL, child, NULL, NULL) < 0 || !stops(child)) return -1;
        if (ptrace(PTRACE_GETREGS, child, NULL, &registers) < 0) return -1;
        if (registers.orig_rax == SYS_getppid) break;
    }
    registers.orig_rax = wanted->number;
    registers.rdi = wanted->arguments[0];
    registers.rsi = wanted->arguments[1];
    registers.rdx = wanted->arguments[2];
    if (ptrace(PTRACE_SETREGS, child, NULL, &registers) < 0) return -1;
    if (ptrace(PTRACE_SYSCALL, child, NULL, NULL) < 0 || !stops(child)) return -1;
    if (ptrace(PTRACE_GETREGS, child, NULL, &registers) < 0) return -1;
    *answer = (long)registers.rax;
    return 0;
}

static void try_exchange(struct trial *trial, const void *data)
{
    const struct exchange *wanted = data;
    long answer = 0;
    pid_t child = traced();
    int led = child < 0 ? -1 : exchange(child, wanted, &answer);
    stand_down(child);
    if (led < 0) {
        tell_untried(trial, wanted->name, "the child could not be traced");
        return;
    }
    if (answer < 0) errno = (int)-answer;
    tell_call(trial, wanted->name, answer < 0 ? -1 : 0);
}

/* Init of the jail; outside, a process of the probe's own in its place. */
static void trace_init(struct trial *trial)
{
    pid_t own = trial->control ? stand_in() : 0;
    pid_t init = trial->control ? own : 1;
    char byte = 0;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    tell_answer(trial, "tracing init", ptrace(PTRACE_SEIZE, init, NULL, NULL));
    tell_answer(trial, "reading init's memory", syscall(SYS_process_vm_readv, init, &here, 1, &there, 1, 0));
    tell_answer(trial, "writing init's memory", syscall(SYS_process_vm_writev, init, &here, 1, &there, 1, 0));
    stand_down(own);
}

static void suspend_filter(struct trial *trial, const void *unused)
{
    (void)unused;
    pid_t child = stand_in();
    tell_call(trial, "suspending the filter", ptrace(PTRACE_SEIZE, child, NULL, (void *)PTRACE_O_SUSPEND_SECCOMP));
    stand_down(child);
}

static void trace_around(struct trial *trial)
{
    for (size_t i = 0; i < ARRAY_LENGTH(EXCHANGES); i++)
        try_in_child(trial, EXCHANGES[i].name, try_exchange, &EXCHANGES[i]);
    trace_init(trial);
    try_in_child(trial, "suspending the filter", suspend_filter, NULL);
}

const struct probe B_TRACE[] = {{"B-16", "a tracer goes around the filter", trace_around}, {NULL, NULL, NULL}};
