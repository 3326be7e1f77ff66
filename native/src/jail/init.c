/* init.c - pid 1 of the jail: builds it, gives up everything, then starts commands on request and reaps. */
#include "init.h"
#include "command.h"
#include "copies.h"
#include "creds.h"
#include "descriptors.h"
#include "files.h"
#include "filter.h"
#include "landlock.h"
#include "mounts.h"
#include "network.h"
#include "sys.h"
#include "tree.h"
#include "tty.h"
#include "watches.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/wait.h>

#define CONTROL_FD  3
#define SIGNAL_FD   4
#define LISTENER_FD 5

/* The whole containment, in order. Check it against docs/threats.md line by line. */
static const struct step JAIL_STEPS[] = {
    {STAGE_CGROUP, cgroup_enter},
    {STAGE_IDS, creds_assume},
    {STAGE_PROPAGATION, mounts_make_private},
    {STAGE_ROOT, mounts_make_root},
    {STAGE_MOUNTS, mounts_apply},
    {STAGE_PIVOT, mounts_pivot},
    {STAGE_LOOPBACK, network_raise_loopback},
    {STAGE_HOSTNAME, host_set_name},
    {STAGE_IDS, creds_assume_late},
    {STAGE_KEYRING, creds_fresh_keyring},
    {STAGE_NO_NEW_PRIVS, creds_no_new_privs},
    {STAGE_LANDLOCK, landlock_restrict},
    {STAGE_CAPABILITIES, creds_drop},
    {STAGE_DUMPABLE, creds_not_dumpable},
};

/* Isolation `process`: the caller's own view of the host, with less power. */
static const struct step PROCESS_STEPS[] = {
    {STAGE_CGROUP, cgroup_enter},
    {STAGE_KEYRING, creds_fresh_keyring},
    {STAGE_NO_NEW_PRIVS, creds_no_new_privs},
    {STAGE_LANDLOCK, landlock_restrict},
    {STAGE_CAPABILITIES, creds_drop},
    {STAGE_DUMPABLE, creds_not_dumpable},
};

#define FIRST_LOOK_NS    UINT64_C(100000000)  /* short commands are not looked at: it would cost more than it tells */
#define LONGEST_PAUSE_NS UINT64_C(5000000000) /* an idle interpreter is to cost nothing */
#define LEISURE_MS       20

struct running {
    uint32_t id;
    pid_t pid; /* 0: free */
    int tty;   /* the terminal's master; 0: none */
    int told;  /* the supervisor knows of it */
    int met;   /* a process has had as many descriptors as it may */
    uint64_t descriptors;
    uint64_t started;
};

struct init {
    struct house house;
    struct running commands[WIRE_MAX_EXECS];
    struct wire_message message;
    struct copies copies;
    uint64_t look_at; /* when the descriptors are looked at next; 0: never */
    uint64_t pause;   /* until then */
    struct sock_fprog job_filter;
    struct sock_filter instructions[FILTER_MAX];
};

static _Noreturn void fail(const struct jail *jail, enum stage stage, int error)
{
    report_failure(jail, stage, error);
    _exit(1);
}

/* The maps are in place when the supervisor says so; its silence for good means that it is gone. */
static void wait_for_maps(const struct jail *jail)
{
    char go;
    ssize_t got = recv(jail->control, &go, sizeof go, 0);
    if (got != 1) _exit(1);
}

/* Leaves init with /dev/null three times, its socket, its signals and, for one message, the listener. */
static int tidy_descriptors(struct jail *jail)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return -errno;
    for (int fd = 0; fd < 3; fd++)
        if (dup2(null, fd) < 0) return -errno;
    int listener = jail->listener < 0 ? -1 : fcntl(jail->listener, F_DUPFD_CLOEXEC, LISTENER_FD + 1);
    int moved = fcntl(jail->signals, F_DUPFD_CLOEXEC, LISTENER_FD + 1);
    if ((jail->listener >= 0 && listener < 0) || moved < 0) return -errno;
    if (dup3(moved, SIGNAL_FD, O_CLOEXEC) < 0) return -errno;
    if (jail->listener < 0) return result(syscall(SYS_close_range, LISTENER_FD, ~0U, 0));
    if (dup3(listener, LISTENER_FD, O_CLOEXEC) < 0) return -errno;
    jail->listener = LISTENER_FD;
    return result(syscall(SYS_close_range, LISTENER_FD + 1, ~0U, 0));
}

static int send_ready(struct jail *jail)
{
    struct wire_ready ready = {.size = sizeof ready, .landlock_abi = jail->landlock_abi, .shared = jail->shared};
    unsigned listeners = jail->listener >= 0;
    int error = wire_send(jail->control, WIRE_READY, 0, &ready, sizeof ready, &jail->listener, listeners, 0);
    if (listeners > 0) close(fd_take(&jail->listener));
    return error;
}

static int open_signals(struct jail *jail)
{
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigprocmask(SIG_SETMASK, &watched, NULL);
    jail->signals = result(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    return jail->signals;
}

/* PDEATHSIG after the last change of ids, which clears it; between single-threaded processes it can be trusted. */
static int bind_to_supervisor(struct jail *jail)
{
    struct rlimit no_core = {.rlim_cur = 1, .rlim_max = 1}; /* 0 would not stop a handler that is a pipe */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) return -errno;
    if (!jail_is_namespaced(jail) && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) return -errno;
    if (setrlimit(RLIMIT_CORE, &no_core) < 0) return -errno;
    return open_signals(jail);
}

/* Seccomp comes last: what it is loaded into needs no more calls than a job does. */
static const struct step LAST_STEPS[] = {
    {STAGE_READY, bind_to_supervisor},
    {STAGE_FILTER, watches_refuse},
    {STAGE_FILTER, filter_load},
    {STAGE_READY, tidy_descriptors},
};

static struct running *find_running(struct init *init, pid_t pid)
{
    for (size_t i = 0; i < ARRAY_LENGTH(init->commands); i++)
        if (init->commands[i].pid == pid) return &init->commands[i];
    return NULL;
}

static void send_not_started(const struct init *init, uint32_t id, const struct refusal *refusal)
{
    struct wire_exited exited = {
        .size = sizeof exited,
        .cause = CAUSE_NOT_STARTED,
        .error = refusal->error,
        .stage = refusal->stage,
    };
    wire_send(init->house.control, WIRE_EXITED, id, &exited, sizeof exited, NULL, 0, 0);
}

/* Only with a terminal at once: every message wakes two processes, while the command wants the processors. */
static void tell_started(const struct init *init, struct running *command, int tty)
{
    struct wire_started started = {.size = sizeof started, .pid = command->pid};
    command->told = 1;
    wire_send(init->house.control, WIRE_STARTED, command->id, &started, sizeof started, &tty, tty >= 0 ? 1 : 0, 0);
}

static uint64_t descriptor_limit(const struct wire_exec *exec)
{
    for (uint32_t i = 0; i < exec->rlimit_count; i++)
        if (exec->rlimits[i].resource == RLIMIT_NOFILE) return exec->rlimits[i].soft;
    return UINT64_MAX;
}

static void serve_exec(struct init *init)
{
    uint32_t id = init->message.header.id;
    struct running *slot = find_running(init, 0);
    struct refusal refusal = {STAGE_FORK, EAGAIN};
    struct command command;
    int error = command_parse(&command, &init->message);
    if (error < 0) refusal = (struct refusal){STAGE_PROTOCOL, -error};
    uint64_t now = clock_now();
    uint64_t descriptors = error < 0 ? 0 : descriptor_limit(command.exec);
    SCOPED_FD tty = -1;
    pid_t pid = error < 0 || slot == NULL ? -1 : command_start(&command, &init->house, &refusal, &tty);
    command_free(&command);
    if (pid > 0 && refusal.stage != 0) {
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
        pid = -1;
    }
    if (pid < 0) {
        send_not_started(init, id, &refusal);
        return;
    }
    *slot = (struct running){.id = id, .pid = pid, .descriptors = descriptors, .started = now};
    if (init->house.namespaced) {
        init->pause = FIRST_LOOK_NS;
        if (init->look_at == 0 || init->look_at > now + FIRST_LOOK_NS) init->look_at = now + FIRST_LOOK_NS;
    }
    if (tty >= 0) {
        tell_started(init, slot, tty);
        slot->tty = fd_take(&tty);
    }
}

/* The supervisor asks whose process has tripped the wire: all that it does not know yet, then the end of the list. */
static void serve_who(struct init *init)
{
    for (size_t i = 0; i < ARRAY_LENGTH(init->commands); i++) {
        struct running *command = &init->commands[i];
        if (command->pid != 0 && !command->told) tell_started(init, command, -1);
    }
    struct wire_started last = {.size = sizeof last};
    wire_send(init->house.control, WIRE_STARTED, 0, &last, sizeof last, NULL, 0, 0);
}

static void serve_signal(struct init *init)
{
    const struct wire_signal *request = wire_body(&init->message, sizeof *request);
    if (request == NULL || request->signal < 0 || request->signal > 64) return;
    if (request->target == SIGNAL_ALL && init->house.namespaced) {
        kill(-1, request->signal);
        return;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(init->commands); i++) {
        const struct running *command = &init->commands[i];
        if (command->pid == 0 || command->id != init->message.header.id) continue;
        if (request->target == SIGNAL_WINDOW) {
            if (command->tty > 0) tty_resize(command->tty, request->rows, request->columns);
            continue;
        }
        if (request->target == SIGNAL_TREE)
            tree_signal(command->pid, request->signal);
        else
            kill(request->target == SIGNAL_PROCESS ? command->pid : -command->pid, request->signal);
    }
}

static void serve_file(struct init *init)
{
    uint32_t id = init->message.header.id;
    int receives = files_receives(&init->message);
    struct wire_filed answer = {.size = sizeof answer, .error = EMFILE};
    SCOPED_FD fd = -1;
    /* A file is not emptied for content that nobody would move into it. */
    if (!receives || !copies_full(&init->copies)) files_serve(&init->message, &answer, &fd);
    if (fd >= 0 && receives) {
        fd = copies_begin(&init->copies, id, fd);
        if (fd < 0) answer.error = -fd;
    }
    wire_send(init->house.control, WIRE_FILED, id, &answer, sizeof answer, &fd, fd >= 0 ? 1 : 0, 0);
}

static void serve_request(struct init *init)
{
    int received = wire_receive(init->house.control, &init->message, 0);
    if (received <= 0) _exit(0); /* the supervisor is gone, and with us everything in here */
    switch (init->message.header.type) {
    case WIRE_EXEC:
        serve_exec(init);
        break;
    case WIRE_SIGNAL:
        serve_signal(init);
        break;
    case WIRE_FILE:
        serve_file(init);
        break;
    case WIRE_WHO:
        serve_who(init);
        break;
    default:
        break;
    }
    wire_close_fds(&init->message);
}

static uint64_t microseconds(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_usec;
}

/* Nothing counts the writes that found no room; a file system that is full when the command ends tells of them. */
static uint32_t full_file_systems(const struct plan *plan)
{
    uint32_t full = 0;
    struct operation operation;
    for (size_t offset = 0; plan_next(plan, &offset, &operation);) {
        struct statfs state;
        if (operation.op->code != OP_TMPFS || statfs(operation.path, &state) < 0) continue;
        if (state.f_bavail == 0) full |= FULL_BYTES;
        if (state.f_ffree == 0) full |= FULL_INODES;
    }
    return full;
}

/* What is said of a command, until it is known whether anything is left beside it. */
struct farewell {
    uint32_t id;
    struct wire_exited exited;
};

static struct farewell part_with(struct init *init, struct running *command, int status, const struct rusage *usage)
{
    struct farewell farewell = {
        .id = command->id,
        .exited =
            {
                .size = sizeof farewell.exited,
                .status = status,
                .cause = CAUSE_OWN,
                .full = full_file_systems(init->house.plan),
                .wall_ns = clock_now() - command->started,
                .user_us = microseconds(usage->ru_utime),
                .system_us = microseconds(usage->ru_stime),
                .max_rss_kib = (uint64_t)usage->ru_maxrss,
                .blocks_in = (uint64_t)usage->ru_inblock,
                .blocks_out = (uint64_t)usage->ru_oublock,
            },
    };
    if (command->tty > 0) close(command->tty);
    *command = (struct running){0};
    return farewell;
}

static void tell(const struct init *init, const struct farewell *farewell)
{
    if (farewell->id == 0) return;
    wire_send(init->house.control, WIRE_EXITED, farewell->id, &farewell->exited, sizeof farewell->exited, NULL, 0, 0);
}

/* A command that asked its parent to trace it, where the filter allows that, has asked us: nobody here traces. */
static void let_go(pid_t pid, int status)
{
    int signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status); /* SIGTRAP: it has executed a program */
    ptrace(PTRACE_DETACH, pid, NULL, (void *)(intptr_t)signal);
}

/* Orphans come to us: when we have no child of any kind, nobody but us is alive in the pid namespace. */
static void reap(struct init *init)
{
    struct signalfd_siginfo ignored;
    while (read(SIGNAL_FD, &ignored, sizeof ignored) > 0) {
    }
    struct farewell last = {0};
    for (;;) {
        int status;
        struct rusage usage;
        pid_t pid = wait4(-1, &status, WNOHANG | __WALL, &usage);
        if (pid <= 0) {
            if (pid < 0 && errno == ECHILD && init->house.namespaced) last.exited.full |= EXITED_ALONE;
            tell(init, &last);
            return;
        }
        if (WIFSTOPPED(status)) {
            let_go(pid, status);
            continue;
        }
        struct running *command = find_running(init, pid);
        if (command == NULL) continue;
        tell(init, &last);
        last = part_with(init, command, status, &usage);
    }
}

/* A process that has lowered its own limit is not a command's. */
static void note_full(void *context, uint64_t limit)
{
    struct init *init = context;
    for (size_t i = 0; i < ARRAY_LENGTH(init->commands); i++) {
        struct running *command = &init->commands[i];
        if (command->pid == 0 || command->met || command->descriptors != limit) continue;
        struct wire_met met = {.size = sizeof met, .full = FULL_DESCRIPTORS};
        command->met = 1;
        wire_send(init->house.control, WIRE_MET, command->id, &met, sizeof met, NULL, 0, 0);
    }
}

/*
 * Nothing counts the opens that were refused for want of a descriptor: a process that has as many as it may is
 * noticed when it is looked at. Ever less often, because a command may run for days.
 */
static void look_at_descriptors(struct init *init)
{
    uint64_t least = UINT64_MAX;
    int running = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(init->commands); i++) {
        const struct running *command = &init->commands[i];
        if (command->pid == 0) continue;
        running = 1;
        if (!command->met && command->descriptors < least) least = command->descriptors;
    }
    init->look_at = 0;
    if (!running) return;
    if (least != UINT64_MAX) descriptors_look(least, note_full, init);
    init->pause = init->pause * 2 < LONGEST_PAUSE_NS ? init->pause * 2 : LONGEST_PAUSE_NS;
    init->look_at = clock_now() + init->pause;
}

static int milliseconds_to_look(const struct init *init)
{
    if (init->look_at == 0) return -1;
    uint64_t now = clock_now();
    return now >= init->look_at ? 0 : (int)((init->look_at - now) / 1000000) + 1;
}

/* What nearly every program opens first. Those that this root does not have cost nobody anything. */
static const char *const LIKELY[] = {
    "/usr/local/sbin",
    "/usr/local/bin",
    "/bin/sh",
    "/etc/ld.so.preload",
    "/etc/ld.so.cache",
#if defined(__x86_64__)
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/x86_64-linux-gnu/libc.so.6",
#elif defined(__aarch64__)
    "/lib/ld-linux-aarch64.so.1",
    "/lib/aarch64-linux-gnu/libc.so.6",
#endif
};

/*
 * The first look at a file in a new overlay takes several times as long as the next: taken while nobody waits,
 * neither for this sandbox nor for the command that had another one's processor when this one was made.
 */
static void look_ahead(const struct init *init)
{
    struct pollfd asked = {.fd = init->house.control, .events = POLLIN};
    struct stat status;
    if (!init->house.namespaced || poll(&asked, 1, LEISURE_MS) != 0) return;
    for (size_t i = 0; i < ARRAY_LENGTH(LIKELY) && poll(&asked, 1, 0) == 0; i++)
        (void)stat(LIKELY[i], &status);
}

static _Noreturn void serve(struct init *init)
{
    struct pollfd watched[2 + MOST_COPIES] = {
        {.fd = init->house.control, .events = POLLIN},
        {.fd = SIGNAL_FD, .events = POLLIN},
    };
    look_ahead(init);
    for (;;) {
        nfds_t copies = copies_watch(&init->copies, watched + 2);
        if (poll(watched, 2 + copies, milliseconds_to_look(init)) < 0) continue;
        if (milliseconds_to_look(init) == 0) look_at_descriptors(init);
        if (watched[1].revents != 0) reap(init);
        copies_serve(&init->copies, watched + 2, init->house.control);
        if (watched[0].revents != 0) serve_request(init);
    }
}

_Noreturn void init_main(struct jail *jail, int supervisor)
{
    /* This closes our copy of the JVM's socket: the JVM must see its end when the supervisor dies. */
    if (dup3(supervisor, CONTROL_FD, O_CLOEXEC) < 0) _exit(1);
    close(supervisor);
    jail->control = CONTROL_FD;
    wait_for_maps(jail);

    enum stage stage = STAGE_PLAN;
    int error = jail_is_namespaced(jail) ? steps_run(JAIL_STEPS, ARRAY_LENGTH(JAIL_STEPS), jail, &stage)
                                         : steps_run(PROCESS_STEPS, ARRAY_LENGTH(PROCESS_STEPS), jail, &stage);
    if (error < 0) fail(jail, stage, error);
    struct init *init = calloc(1, sizeof *init);
    if (init == NULL) fail(jail, STAGE_READY, -ENOMEM);
    init->house = (struct house){
        .control = CONTROL_FD,
        .namespaced = jail_is_namespaced(jail),
        .label = jail->plan.header->label,
        .plan = &jail->plan,
        .observed = jail->observe >= 0,
        .stack = malloc(COMMAND_STACK_BYTES),
    };
    if (init->house.stack == NULL) fail(jail, STAGE_READY, -ENOMEM);
#ifdef CORDON_FAULTS
    const struct plan_header *header = jail->plan.header;
    init->house.leaky = header->fault_stage == STAGE_STDIO && header->fault_action == FAULT_SKIP;
#endif
    if (jail->job_filter >= 0) {
        error = filter_read(jail->job_filter, init->instructions, &init->job_filter);
        if (error < 0) fail(jail, STAGE_JOB_FILTER, error);
        init->house.job_filter = &init->job_filter;
    }
    error = steps_run(LAST_STEPS, ARRAY_LENGTH(LAST_STEPS), jail, &stage);
    if (error < 0) fail(jail, stage, error);
    error = send_ready(jail);
    if (error < 0) fail(jail, STAGE_READY, error);
    serve(init);
}
