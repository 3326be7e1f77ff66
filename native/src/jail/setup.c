/* setup.c - the supervisor's side of making a sandbox. */
#include "supervisor.h"
#include "clone.h"
#include "creds.h"
#include "idmap.h"
#include "init.h"
#include "network.h"
#include "observe.h"
#include "oom.h"
#include "sources.h"
#include "sys.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#define NAMESPACES (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS)

static struct supervisor *owner(struct jail *jail)
{
    return (struct supervisor *)(void *)((char *)jail - offsetof(struct supervisor, jail));
}

static _Noreturn void fail(struct supervisor *supervisor, enum stage stage, int error)
{
    struct wire_closed closed;
    sandbox_kill(supervisor, &closed);
    report_failure(&supervisor->jail, stage, error);
    _exit(1);
}

/* ---- what the JVM sent ---- */

static int accept_role(struct jail *jail, struct wire_message *message, unsigned index, unsigned role, int *plan,
                       int *guard)
{
    int *const single[ROLE_MAX + 1] = {
        [ROLE_PLAN] = plan,
        [ROLE_FILTER] = &jail->filter,
        [ROLE_JOB_FILTER] = &jail->job_filter,
        [ROLE_CGROUP] = &jail->cgroup,
        [ROLE_CGROUP_KILL] = &jail->cgroup_kill,
        [ROLE_CPU_USAGE] = &jail->cpu_usage,
        [ROLE_LEASE] = &jail->lease,
        [ROLE_NETNS] = &jail->netns,
        [ROLE_OBSERVE] = &jail->observe,
        [ROLE_GUARD] = guard,
    };
    if (role == ROLE_CGROUP_TASKS) {
        if (jail->task_count == MAX_TASKS) return -EPROTO;
        jail->tasks[jail->task_count++] = wire_take_fd(message, index);
        return 0;
    }
    if (role > ROLE_MAX || single[role] == NULL || *single[role] >= 0) return -EPROTO;
    *single[role] = wire_take_fd(message, index);
    return 0;
}

static int open_observer(struct supervisor *supervisor)
{
    struct jail *jail = &supervisor->jail;
    int error = 0;
    if (jail->observe < 0) return 0;
    jail->detail = "the rules for observing are not in order";
    if (jail->job_filter >= 0) return -EPROTO;
    supervisor->observer = observer_open(jail->observe, &error);
    return error;
}

static int receive_open(struct jail *jail)
{
    struct supervisor *supervisor = owner(jail);
    jail->detail = "the first message is not OPEN";
    if (wire_receive(jail->control, &supervisor->request, 0) != 1) return -EPROTO;
    const struct wire_open *open = wire_body(&supervisor->request, sizeof *open);
    if (supervisor->request.header.type != WIRE_OPEN || open == NULL) return -EPROTO;
    jail->detail = "the roles do not fit the descriptors";
    if (open->role_count != supervisor->request.fd_count) return -EPROTO;
    SCOPED_FD plan = -1;
    SCOPED_FD guard = -1;
    for (unsigned i = 0; i < open->role_count; i++)
        if (accept_role(jail, &supervisor->request, i, open->roles[i], &plan, &guard) < 0) return -EPROTO;
    jail->detail = "there is no plan or no filter";
    if (plan < 0 || jail->filter < 0) return -EPROTO;
    jail->detail = "the order for guarding is not in order";
    int error = guard < 0 ? 0 : guard_open(&supervisor->guard, guard);
    if (error >= 0) error = open_observer(supervisor);
    return error < 0 ? error : plan_load(&jail->plan, plan, &jail->detail);
}

/* ---- the steps ---- */

static int clone_init(struct jail *jail)
{
    struct supervisor *supervisor = owner(jail);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
    int32_t pidfd = -1;
    struct clone_args args = {
        .flags = CLONE_PIDFD,
        .pidfd = (uint64_t)(uintptr_t)&pidfd,
        .exit_signal = SIGCHLD,
    };
    if (jail_is_namespaced(jail))
        args.flags |= NAMESPACES | (jail->netns < 0 && jail->network == 0 ? CLONE_NEWNET : 0);
    if (jail->cgroup >= 0) {
        args.flags |= CLONE_INTO_CGROUP;
        args.cgroup = (uint64_t)jail->cgroup;
    }
    int error = creds_borrow_slot(jail);
    if (error < 0) return error;
    long pid = syscall(SYS_clone3, &args, sizeof args);
    if (pid < 0) return -errno;
    if (pid == 0) {
        close(pair[0]);
        init_main(jail, pair[1]);
    }
    close(pair[1]);
    supervisor->init = (pid_t)pid;
    supervisor->init_pidfd = pidfd;
    supervisor->init_socket = pair[0];
    return creds_return_slot(jail);
}

static int map_ids(struct jail *jail)
{
    struct supervisor *supervisor = owner(jail);
    int error = oom_offer(jail, supervisor->init);
    if (error >= 0 && jail_is_namespaced(jail)) error = idmap_write(jail, supervisor->init);
    if (error < 0) return error;
    jail->detail = "telling init to go on";
    return send(supervisor->init_socket, "", 1, MSG_NOSIGNAL) == 1 ? 0 : -errno;
}

static const struct step STEPS[] = {
    {STAGE_PLAN, receive_open}, {STAGE_SOURCES, sources_open}, {STAGE_NETNS, network_join},
    {STAGE_CLONE, clone_init},  {STAGE_IDMAP, map_ids},
};

/* ---- waiting for init ---- */

static void close_what_init_has(struct jail *jail)
{
    sources_close(jail);
    for (unsigned i = 0; i < jail->task_count; i++)
        close(jail->tasks[i]);
    jail->task_count = 0;
    int *const ours[] = {&jail->filter, &jail->job_filter, &jail->cgroup, &jail->netns, &jail->observe};
    for (size_t i = 0; i < ARRAY_LENGTH(ours); i++)
        if (*ours[i] >= 0) close(fd_take(ours[i]));
}

/* A failure that init reported is passed on as it is. */
static _Noreturn void relay_failure(struct supervisor *supervisor)
{
    struct wire_closed closed;
    sandbox_kill(supervisor, &closed);
    const struct wire_failed *failed = wire_body(&supervisor->reply, sizeof *failed);
    if (failed != NULL) wire_send(supervisor->jail.control, WIRE_FAILED, 0, failed, sizeof *failed, NULL, 0, 0);
    _exit(1);
}

static void take_ready(struct supervisor *supervisor)
{
    struct jail *jail = &supervisor->jail;
    int received = wire_receive(supervisor->init_socket, &supervisor->reply, 0);
    jail->operation = UINT32_MAX;
    jail->detail = "init ended before the jail was ready";
    if (received == 1 && supervisor->reply.header.type == WIRE_FAILED) relay_failure(supervisor);
    const struct wire_ready *ready = received == 1 ? wire_body(&supervisor->reply, sizeof *ready) : NULL;
    unsigned listeners = supervisor->observer == NULL;
    if (ready == NULL || supervisor->reply.header.type != WIRE_READY || supervisor->reply.fd_count != listeners) {
        /* Init said something that can't be used, and may have begun the command. Of one that only ended none has. */
        if (received != 0 && supervise_has_command(supervisor)) supervise_finish(supervisor, CAUSE_INIT_LOST);
        fail(supervisor, STAGE_READY, received < 0 ? received : -EPIPE);
    }
    supervisor->listener = wire_take_fd(&supervisor->reply, 0);
    struct wire_ready told = *ready;
    told.init_pid = supervisor->init;
    wire_send(jail->control, WIRE_READY, 0, &told, sizeof told, NULL, 0, 0);
    clocks_begin(supervisor);
}

/* A guard looks at the network before the first command, which has to wait for that. */
static int takes_ahead(const struct supervisor *supervisor)
{
    return jail_is_namespaced(&supervisor->jail) && supervisor->observer == NULL && supervisor->guard.burst == 0;
}

static void wait_until_ready(struct supervisor *supervisor)
{
    struct jail *jail = &supervisor->jail;
    struct pollfd watched[] = {
        {.fd = supervisor->init_socket, .events = POLLIN},
        {.fd = supervisor->init_pidfd, .events = POLLIN},
        {.fd = jail->control, .events = takes_ahead(supervisor) ? POLLIN : 0}, /* else its end only */
    };
    uint64_t deadline = clock_now() + jail->plan.header->setup_ns;
    for (;;) {
        uint64_t now = clock_now();
        jail->operation = UINT32_MAX;
        jail->detail = "the set-up took longer than its deadline";
        int ready = poll(watched, ARRAY_LENGTH(watched), now < deadline ? (int)((deadline - now) / 1000000) + 1 : 0);
        if (ready < 0 && errno != EINTR) fail(supervisor, STAGE_READY, -errno);
        if (ready == 0 && clock_now() >= deadline) fail(supervisor, STAGE_READY, -ETIMEDOUT);
        if (ready <= 0) continue;
        if (watched[2].revents & (POLLHUP | POLLERR)) fail(supervisor, STAGE_READY, -EPIPE);
        if (watched[2].revents & POLLIN) {
            supervise_take_ahead(supervisor);
            watched[2].events = 0; /* one; others wait for the jail */
        }
        if (watched[0].revents != 0 || watched[1].revents != 0) {
            take_ready(supervisor);
            return;
        }
    }
}

void setup_run(struct supervisor *supervisor)
{
    enum stage stage;
    int error = steps_run(STEPS, ARRAY_LENGTH(STEPS), &supervisor->jail, &stage);
    if (error < 0) fail(supervisor, stage, error);
    close_what_init_has(&supervisor->jail);
    error = creds_settle_supervisor();
    if (error < 0) fail(supervisor, STAGE_READY, error);
    wait_until_ready(supervisor);
}
