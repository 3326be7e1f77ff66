#include "agent.h"
#include "ground.h"
#include "renew.h"
#include "sandbox.h"
#include "sys.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <sys/wait.h>

enum { WATCH_PORT, WATCH_SIGNALS, WATCH_SANDBOX, WATCH_STREAMS };

#define FAREWELL_NS 1000000000ull /* for the host to take what was said last */
#define AWAY_MS     20            /* how often an absent host is looked for */

struct agent {
    struct port *port;
    int signals;
    int gone_due; /* the supervisor was reaped, which the host has not been told */
    int away;     /* the host has closed its end */
    struct streams streams;
    struct sandbox sandbox;
    uint32_t owners[GUEST_MAX_STREAMS];
    struct pollfd polls[WATCH_STREAMS + GUEST_MAX_STREAMS];
};

/* ---- the end ---- */

static _Noreturn void switch_off(struct port *port)
{
    uint64_t deadline = clock_now() + FAREWELL_NS;
    while (port->fd >= 0 && port->out_length > 0 && clock_now() < deadline) {
        struct pollfd room = {.fd = port->fd, .events = POLLOUT};
        poll(&room, 1, 10);
        port_flush(port);
    }
    reboot(RB_AUTOBOOT); /* QEMU runs with -no-reboot: it ends; not every machine type can be powered off */
    for (;;)
        pause();
}

_Noreturn void agent_fail(struct port *port, const char *what, int error)
{
    struct guest_failed failed = {.size = sizeof failed, .error = error};
    snprintf(failed.text, sizeof failed.text, "%s: %s", what, strerror(error));
    SCOPED_FD console = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
    if (console >= 0) dprintf(console, "<3>cordon: %s\n", failed.text);
    if (port->fd >= 0) port_send(port, GUEST_FAILED, 0, &failed, sizeof failed, NULL, 0);
    switch_off(port);
}

/* ---- requests ---- */

static void send_done(struct agent *agent, enum guest_type type, uint64_t nonce, const char *what, int error)
{
    struct guest_done done = {.size = sizeof done, .error = -error, .nonce = nonce};
    if (error < 0) snprintf(done.text, sizeof done.text, "%s: %s", what, strerror(-error));
    port_send(agent->port, type, 0, &done, sizeof done, NULL, 0);
}

static int serve_renew(struct agent *agent, const struct frame *frame)
{
    struct guest_renew renew;
    if (!frame_copy(frame, &renew, sizeof renew)) return -EPROTO;
    const char *what = "";
    int error = renew_apply(&renew, &what);
    explicit_bzero(renew.seed, sizeof renew.seed);
    send_done(agent, GUEST_RENEWED, renew.nonce, what, error);
    if (error < 0) agent_fail(agent->port, what, -error); /* a twin of other machines runs nothing */
    agent->sandbox.grounded = 0;
    return 0;
}

static int serve_ground(struct agent *agent, const struct frame *frame)
{
    struct guest_ground limits;
    if (!frame_copy(frame, &limits, sizeof limits)) return -EPROTO;
    const char *what = "";
    int error = ground_make(&limits, &what);
    send_done(agent, GUEST_GROUNDED, 0, what, error);
    if (error < 0) agent_fail(agent->port, what, -error); /* nothing runs without its limits */
    agent->sandbox.grounded = 1;
    sandbox_tell_ready(&agent->sandbox, agent->port);
    return 0;
}

static int serve_freeze(struct agent *agent, const struct frame *frame)
{
    struct guest_freeze freeze;
    if (!frame_copy(frame, &freeze, sizeof freeze)) return -EPROTO;
    send_done(agent, GUEST_FROZEN, 0, "the freezer", ground_freeze(freeze.frozen != 0));
    return 0;
}

static void send_usage(struct agent *agent, enum guest_type type)
{
    struct guest_usage usage;
    ground_usage(&usage);
    port_send(agent->port, type, 0, &usage, sizeof usage, NULL, 0);
}

static int serve_message(struct agent *agent, const struct frame *frame)
{
    int error = sandbox_message(&agent->sandbox, &agent->streams, frame);
    if (error >= 0 || error == -EPROTO) return error;
    agent_fail(agent->port, "a message could not be passed on", -error);
}

static int serve_frame(struct agent *agent, const struct frame *frame)
{
    switch ((enum guest_type)frame->header.type) {
    case GUEST_RENEW:
        return serve_renew(agent, frame);
    case GUEST_GROUND:
        return serve_ground(agent, frame);
    case GUEST_FREEZE:
        return serve_freeze(agent, frame);
    case GUEST_ASK_USAGE:
        send_usage(agent, GUEST_USAGE);
        return 0;
    case GUEST_CONTENT:
        return sandbox_content(&agent->sandbox, frame);
    case GUEST_MESSAGE:
        return serve_message(agent, frame);
    case GUEST_DATA:
    case GUEST_END:
    case GUEST_CREDIT:
        return streams_receive(&agent->streams, frame);
    case GUEST_POWEROFF:
        switch_off(agent->port);
    default:
        return -EPROTO;
    }
}

/* One frame causes one small answer at most, so the room is looked at before each. */
static void serve_frames(struct agent *agent)
{
    struct frame frame;
    while (!agent->sandbox.parked && port_has_room(agent->port)) {
        int next = port_next(agent->port, &frame);
        if (next == 0) return;
        int error = next < 0 ? next : serve_frame(agent, &frame);
        if (error < 0) agent_fail(agent->port, "the host broke the protocol", -error);
    }
}

static void serve_port(struct agent *agent, short events)
{
    agent->away = (events & POLLHUP) != 0;
    if (events & POLLIN) {
        long got = port_fill(agent->port);
        if (got == 0) agent->away = 1;
        if (got < 0 && got != -EAGAIN && got != -ENOBUFS && got != -EINTR)
            agent_fail(agent->port, "reading from the host", (int)-got);
    }
}

/* ---- processes ---- */

/* Pid 1 inherits every orphan. */
static void reap(struct agent *agent)
{
    struct signalfd_siginfo ignored;
    while (read(agent->signals, &ignored, sizeof ignored) > 0) {
    }
    for (pid_t pid = waitpid(-1, NULL, WNOHANG); pid > 0; pid = waitpid(-1, NULL, WNOHANG)) {
        if (pid != agent->sandbox.pid) continue;
        agent->sandbox.pid = 0;
        agent->gone_due = 1;
    }
}

/* What the supervisor said last comes first. */
static void tell_of_the_end(struct agent *agent)
{
    if (!agent->gone_due || agent->sandbox.socket >= 0 || !port_has_room(agent->port)) return;
    agent->gone_due = 0;
    ground_kill();
    send_usage(agent, GUEST_GONE);
}

/* ---- the loop ---- */

static int prepare(struct agent *agent, nfds_t *count)
{
    int eager;
    int room = port_has_room(agent->port);
    struct sandbox *sandbox = &agent->sandbox;
    short listen = (short)(room && !sandbox->parked && !agent->away ? POLLIN : 0);
    agent->polls[WATCH_PORT] = (struct pollfd){
        .fd = agent->away ? -1 : agent->port->fd,
        .events = (short)(listen | (agent->port->out_length > 0 ? POLLOUT : 0)),
    };
    agent->polls[WATCH_SIGNALS] = (struct pollfd){.fd = agent->signals, .events = POLLIN};
    agent->polls[WATCH_SANDBOX] = (struct pollfd){
        .fd = room || sandbox->parked ? sandbox->socket : -1,
        .events = (short)((room ? POLLIN : 0) | (sandbox->parked ? POLLOUT : 0)),
    };
    *count = WATCH_STREAMS + streams_watch(&agent->streams, agent->polls + WATCH_STREAMS, agent->owners, &eager);
    if (eager) return 0;
    return agent->away ? AWAY_MS : -1;
}

static void turn(struct agent *agent)
{
    nfds_t count;
    int timeout = prepare(agent, &count);
    if (poll(agent->polls, count, timeout) < 0) return;
    if (agent->away) agent->polls[WATCH_PORT].revents = POLLIN; /* looks whether the host is back */
    if (agent->polls[WATCH_SIGNALS].revents != 0) reap(agent);
    if (agent->polls[WATCH_SANDBOX].revents & POLLOUT) sandbox_flush(&agent->sandbox);
    if (agent->polls[WATCH_SANDBOX].revents & (POLLIN | POLLHUP | POLLERR) && port_has_room(agent->port))
        sandbox_relay(&agent->sandbox, &agent->streams);
    for (nfds_t i = WATCH_STREAMS; i < count; i++)
        if (agent->polls[i].revents != 0)
            streams_serve(&agent->streams, agent->owners[i - WATCH_STREAMS], agent->polls[i].revents);
    streams_serve_listings(&agent->streams);
    if (agent->polls[WATCH_PORT].revents != 0) serve_port(agent, agent->polls[WATCH_PORT].revents);
    serve_frames(agent);
    tell_of_the_end(agent);
    port_flush(agent->port);
}

static int watch_children(void)
{
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigprocmask(SIG_SETMASK, &watched, NULL);
    signal(SIGPIPE, SIG_IGN);
    return result(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
}

static void say_hello(struct port *port)
{
    struct guest_hello hello = {.size = sizeof hello, .wire_version = WIRE_VERSION};
    struct utsname name;
    if (uname(&name) == 0) snprintf(hello.release, sizeof hello.release, "%.63s", name.release);
    port_send(port, GUEST_HELLO, 0, &hello, sizeof hello, NULL, 0);
    port_flush(port);
}

_Noreturn void agent_run(struct port *port, int supervisor_program)
{
    struct agent *agent = calloc(1, sizeof *agent);
    if (agent == NULL) agent_fail(port, "the agent's memory", ENOMEM);
    agent->port = agent->streams.port = port;
    agent->streams.next_id = 1;
    agent->sandbox.program = supervisor_program;
    agent->sandbox.socket = -1;
    agent->signals = watch_children();
    if (agent->signals < 0) agent_fail(port, "signalfd", -agent->signals);
    say_hello(port);
    for (;;)
        turn(agent);
}
