/* supervise.c - the supervisor's loop: relays between the JVM and init, and asks clocks and tripwire. */
#include "supervisor.h"
#include "observe.h"
#include "sys.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum { WATCH_CONTROL, WATCH_INIT, WATCH_PIDFD, WATCH_LISTENER, WATCH_OBSERVED, WATCH_TIMER, WATCH_COUNT };

struct watch *supervise_find(struct supervisor *supervisor, uint32_t id)
{
    for (size_t i = 0; i < ARRAY_LENGTH(supervisor->watches); i++)
        if (supervisor->watches[i].id == id) return &supervisor->watches[i];
    return NULL;
}

int supervise_has_command(const struct supervisor *supervisor)
{
    for (size_t i = 0; i < ARRAY_LENGTH(supervisor->watches); i++)
        if (supervisor->watches[i].id != 0) return 1;
    return 0;
}

void supervise_send_pending(struct supervisor *supervisor)
{
    struct pending *pending = &supervisor->pending;
    int error = wire_send(supervisor->jail.control, pending->type, pending->id, pending->body, pending->length,
                          &pending->fd, pending->fd >= 0 ? 1 : 0, MSG_DONTWAIT);
    if (error == -EAGAIN) return;
    if (pending->fd >= 0) close(pending->fd);
    pending->type = 0;
}

/* The JVM may be paused for long: the clocks here go on, so this never waits. */
void supervise_tell(struct supervisor *supervisor, unsigned type, uint32_t id, const void *body, size_t length,
                    int fd)
{
    struct pending *pending = &supervisor->pending;
    if (length > sizeof pending->body || pending->type != 0) {
        if (fd >= 0) close(fd);
        return;
    }
    *pending = (struct pending){.type = type, .id = id, .fd = fd, .length = length};
    memcpy(pending->body, body, length);
    supervise_send_pending(supervisor);
}

/* ---- from init ---- */

static void relay_exited(struct supervisor *supervisor)
{
    const struct wire_exited *body = wire_body(&supervisor->reply, sizeof *body);
    struct watch *watch = supervise_find(supervisor, supervisor->reply.header.id);
    if (body == NULL || watch == NULL || watch->id == 0) return;
    supervise_guard(supervisor);
    struct wire_exited exited = *body;
    exited.full |= watch->full;
    if (watch->flags >> 24 != 0) exited.cause = watch->flags >> 24;
    if (watch->flags & EXEC_FINAL) {
        uint32_t id = watch->id;
        *watch = (struct watch){0};
        supervise_finish_with(supervisor, id, &exited);
    }
    exited.full &= ~EXITED_ALONE;
    supervise_tell(supervisor, WIRE_EXITED, watch->id, &exited, sizeof exited, -1);
    *watch = (struct watch){0};
}

void supervise_note_met(struct supervisor *supervisor)
{
    const struct wire_met *met = wire_body(&supervisor->reply, sizeof *met);
    struct watch *watch = supervise_find(supervisor, supervisor->reply.header.id);
    if (met != NULL && watch != NULL && watch->id != 0) watch->full |= met->full & FULL_DESCRIPTORS;
}

static void relay_started(struct supervisor *supervisor)
{
    const struct wire_started *started = wire_body(&supervisor->reply, sizeof *started);
    struct watch *watch = supervise_find(supervisor, supervisor->reply.header.id);
    if (supervisor->reply.header.id == 0) supervisor->asked = 0;
    if (started == NULL || watch == NULL || watch->id == 0) return;
    watch->pid = started->pid;
    if (supervisor->reply.fd_count == 0) return; /* the JVM has no use for it without a terminal */
    supervise_tell(supervisor, WIRE_STARTED, watch->id, started, sizeof *started,
                   wire_take_fd(&supervisor->reply, 0));
}

/* A second one is shut with its message, and that command's calls fail: a sandbox learns of one command. */
static void take_listener(struct supervisor *supervisor)
{
    if (supervisor->observer == NULL || supervisor->observed >= 0) return;
    supervisor->observed = wire_take_fd(&supervisor->reply, 0);
    if (supervisor->observed >= 0) observer_attach(supervisor->observed);
}

static void serve_init(struct supervisor *supervisor)
{
    int received = wire_receive(supervisor->init_socket, &supervisor->reply, MSG_DONTWAIT);
    if (received == -EAGAIN) return;
    if (received <= 0) supervise_finish(supervisor, CAUSE_INIT_LOST);
    const struct wire_filed *filed = wire_body(&supervisor->reply, sizeof *filed);
    const struct wire_written *written = wire_body(&supervisor->reply, sizeof *written);
    switch (supervisor->reply.header.type) {
    case WIRE_STARTED:
        relay_started(supervisor);
        break;
    case WIRE_EXITED:
        relay_exited(supervisor);
        break;
    case WIRE_LISTENER:
        take_listener(supervisor);
        break;
    case WIRE_MET:
        supervise_note_met(supervisor);
        break;
    case WIRE_FILED:
        if (filed != NULL)
            supervise_tell(supervisor, WIRE_FILED, supervisor->reply.header.id, filed, sizeof *filed,
                           wire_take_fd(&supervisor->reply, 0));
        break;
    case WIRE_WRITTEN:
        if (written != NULL)
            supervise_tell(supervisor, WIRE_WRITTEN, supervisor->reply.header.id, written, sizeof *written, -1);
        break;
    default:
        break;
    }
    wire_close_fds(&supervisor->reply);
}

/* ---- from the JVM ---- */

/* The clock of a command starts when it is asked for: a start that hangs is over time, too. */
static int admit_exec(struct supervisor *supervisor)
{
    const struct wire_exec *exec = (const struct wire_exec *)(const void *)supervisor->request.body;
    if (supervisor->request.header.length < sizeof *exec || exec->size != sizeof *exec || exec->wall_ns == 0)
        return -EPROTO;
    uint32_t id = supervisor->request.header.id;
    if (id == 0 || supervise_find(supervisor, id) != NULL) return -EPROTO;
    struct watch *watch = supervise_find(supervisor, 0);
    if (watch == NULL) return -EAGAIN;
    int error = guard_begin(&supervisor->guard, supervisor->init);
    if (error < 0) return error;
    uint64_t now = clock_now();
    *watch = (struct watch){
        .id = id,
        .flags = exec->flags & 0xffffff,
        .started = now,
        .deadline = exec->wall_ns > UINT64_MAX - now ? UINT64_MAX : now + exec->wall_ns,
        .cpu_ns = exec->cpu_ns,
        .on_violation = exec->on_violation,
    };
    return 0;
}

static void refuse_exec(struct supervisor *supervisor, int error)
{
    struct wire_exited exited = {
        .size = sizeof exited,
        .cause = CAUSE_NOT_STARTED,
        .error = -error,
        .stage = error == -EPROTO ? STAGE_PROTOCOL : STAGE_FORK,
    };
    supervise_tell(supervisor, WIRE_EXITED, supervisor->request.header.id, &exited, sizeof exited, -1);
    wire_close_fds(&supervisor->request);
}

/* The kernel had no room for the message or its descriptors: who waits for an answer gets one. */
static void answer_lost(struct supervisor *supervisor, int error)
{
    const struct wire_message *request = &supervisor->request;
    if (request->header.type == WIRE_EXEC) {
        struct watch *watch = supervise_find(supervisor, request->header.id);
        if (watch != NULL) *watch = (struct watch){0};
        refuse_exec(supervisor, error);
    } else if (request->header.type == WIRE_FILE) {
        struct wire_filed filed = {.size = sizeof filed, .error = -error};
        supervise_tell(supervisor, WIRE_FILED, request->header.id, &filed, sizeof filed, -1);
    }
}

static void relay_request(struct supervisor *supervisor)
{
    struct wire_message *request = &supervisor->request;
    int error = wire_send(supervisor->init_socket, request->header.type, request->header.id, request->body,
                          request->header.length, request->fds, request->fd_count, MSG_DONTWAIT);
    supervisor->parked = error == -EAGAIN;
    if (supervisor->parked) return;
    wire_close_fds(request);
    if (error < 0 && error != -EPIPE && error != -ECONNRESET) answer_lost(supervisor, error);
}

static void serve_signal(struct supervisor *supervisor)
{
    const struct wire_signal *signal = wire_body(&supervisor->request, sizeof *signal);
    if (signal != NULL && signal->target == SIGNAL_PAUSE)
        clocks_stop(supervisor);
    else if (signal != NULL && signal->target == SIGNAL_RESUME)
        clocks_start(supervisor);
    else
        relay_request(supervisor);
}

static int serve_exec(struct supervisor *supervisor)
{
    int error = admit_exec(supervisor);
    if (error < 0)
        refuse_exec(supervisor, error);
    else
        relay_request(supervisor);
    return error;
}

static void serve_control(struct supervisor *supervisor)
{
    int received = wire_receive(supervisor->jail.control, &supervisor->request, MSG_DONTWAIT);
    if (received == -EAGAIN) return;
    if (received <= 0) supervise_finish(supervisor, CAUSE_CLOSED);
    switch (supervisor->request.header.type) {
    case WIRE_EXEC:
        if (serve_exec(supervisor) >= 0) clocks_check(supervisor);
        break;
    case WIRE_SIGNAL:
        serve_signal(supervisor);
        break;
    case WIRE_FILE:
        relay_request(supervisor);
        break;
    case WIRE_CLOSE:
        supervise_finish(supervisor, CAUSE_CLOSED);
    default:
        supervise_finish(supervisor, CAUSE_CLOSED); /* a peer that breaks the protocol is hung up on */
    }
}

void supervise_take_ahead(struct supervisor *supervisor)
{
    struct wire_header header;
    ssize_t seen = recv(supervisor->jail.control, &header, sizeof header, MSG_PEEK | MSG_DONTWAIT);
    if (seen != (ssize_t)sizeof header || header.type != WIRE_EXEC) return;
    int received = wire_receive(supervisor->jail.control, &supervisor->request, MSG_DONTWAIT);
    if (received == 1)
        serve_exec(supervisor);
    else if (received != -EAGAIN)
        supervise_finish(supervisor, CAUSE_CLOSED);
}

/* While something is pending for the JVM nothing is taken: the command waits in its call, and nothing is lost. */
static void serve_observed(struct supervisor *supervisor, int events)
{
    struct wire_observed observed;
    if (supervisor->pending.type != 0) return;
    if (!(events & POLLIN)) { /* the last process under the filter is gone */
        close(fd_take(&supervisor->observed));
    } else if (observer_take(supervisor->observer, supervisor->observed, &observed)) {
        supervise_tell(supervisor, WIRE_OBSERVED, 0, &observed, sizeof observed, -1);
    }
}

/* ---- the loop ---- */

static void prepare(const struct supervisor *supervisor, struct pollfd *watched)
{
    int stalled = supervisor->pending.type != 0;
    int asking = tripwire_wants_to_ask(supervisor);
    watched[WATCH_CONTROL] = (struct pollfd){
        .fd = supervisor->jail.control,
        .events = (short)((stalled ? POLLOUT : 0) | (stalled || supervisor->parked ? 0 : POLLIN)),
    };
    watched[WATCH_INIT] = (struct pollfd){
        .fd = supervisor->init_socket,
        .events = (short)((supervisor->parked || asking ? POLLOUT : 0) | (stalled ? 0 : POLLIN)),
    };
    watched[WATCH_PIDFD] = (struct pollfd){.fd = supervisor->init_pidfd, .events = POLLIN};
    watched[WATCH_LISTENER] = (struct pollfd){
        .fd = supervisor->listener,
        .events = supervisor->notice.violation.size == 0 && tripwire_rest(supervisor) == 0 ? POLLIN : 0,
    };
    watched[WATCH_OBSERVED] = (struct pollfd){.fd = stalled ? -1 : supervisor->observed, .events = POLLIN};
    watched[WATCH_TIMER] = (struct pollfd){.fd = supervisor->timer, .events = POLLIN};
}

/* What init said comes before its end; while something is pending for the JVM, it waits in the socket. */
static void serve_init_or_its_end(struct supervisor *supervisor, const struct pollfd *watched)
{
    if (watched[WATCH_INIT].revents & POLLIN) {
        if (supervisor->pending.type == 0) serve_init(supervisor);
    } else if (watched[WATCH_PIDFD].revents != 0) {
        supervise_finish(supervisor, CAUSE_INIT_LOST);
    }
}

_Noreturn void supervise(struct supervisor *supervisor)
{
    for (;;) {
        struct pollfd watched[WATCH_COUNT];
        prepare(supervisor, watched);
        int rest = tripwire_rest(supervisor);
        if (poll(watched, WATCH_COUNT, rest > 0 ? rest : -1) <= 0) continue;
        if (watched[WATCH_TIMER].revents != 0) {
            uint64_t expirations;
            if (read(supervisor->timer, &expirations, sizeof expirations) > 0) clocks_check(supervisor);
        }
        if (watched[WATCH_LISTENER].revents & POLLIN) tripwire_serve(supervisor);
        if (watched[WATCH_OBSERVED].revents != 0) serve_observed(supervisor, watched[WATCH_OBSERVED].revents);
        serve_init_or_its_end(supervisor, watched);
        if (supervisor->parked && watched[WATCH_INIT].revents & POLLOUT) relay_request(supervisor);
        if (watched[WATCH_CONTROL].revents & POLLOUT) supervise_send_pending(supervisor);
        if (watched[WATCH_CONTROL].revents & POLLIN) {
            if (supervisor->pending.type == 0) serve_control(supervisor);
        } else if (watched[WATCH_CONTROL].revents & (POLLHUP | POLLERR))
            supervise_finish(supervisor, CAUSE_CLOSED);
        tripwire_judge(supervisor);
    }
}
