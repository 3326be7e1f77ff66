/* ending.c - the end of a sandbox: everything is killed first, then what is known of its commands is told. */
#include "supervisor.h"
#include "sys.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

/* Reports that init had sent before it died are the truth about those commands. */
static void deliver_last_words(struct supervisor *supervisor)
{
    while (wire_receive(supervisor->init_socket, &supervisor->reply, MSG_DONTWAIT) == 1) {
        const struct wire_exited *exited = wire_body(&supervisor->reply, sizeof *exited);
        struct watch *watch = supervise_find(supervisor, supervisor->reply.header.id);
        wire_close_fds(&supervisor->reply);
        if (supervisor->reply.header.type == WIRE_MET) supervise_note_met(supervisor);
        if (supervisor->reply.header.type != WIRE_EXITED || exited == NULL || watch == NULL || watch->id == 0)
            continue;
        struct wire_exited told = *exited;
        told.full |= watch->full;
        if (watch->flags >> 24 != 0) told.cause = watch->flags >> 24;
        told.full &= ~EXITED_ALONE;
        wire_send(supervisor->jail.control, WIRE_EXITED, watch->id, &told, sizeof told, NULL, 0, 0);
        watch->id = 0;
    }
}

/* Everything is dead when this is called, so waiting for the JVM's attention harms nobody. */
static void deliver_ends(struct supervisor *supervisor, enum wire_cause cause, const struct wire_closed *closed)
{
    for (size_t i = 0; i < ARRAY_LENGTH(supervisor->watches); i++) {
        struct watch *watch = &supervisor->watches[i];
        if (watch->id == 0) continue;
        struct wire_exited exited = {
            .size = sizeof exited,
            .status = cause == CAUSE_INIT_LOST ? closed->status : SIGKILL,
            .cause = cause,
            .full = watch->full,
            .wall_ns = watch->started == 0 ? 0 : clock_now() - watch->started,
            .user_us = closed->user_us,
            .system_us = closed->system_us,
            .max_rss_kib = closed->max_rss_kib,
        };
        wire_send(supervisor->jail.control, WIRE_EXITED, watch->id, &exited, sizeof exited, NULL, 0, 0);
    }
}

/* Nothing runs any more: what is left to say is said in order, however long the JVM takes to listen. */
static void flush_pending(struct supervisor *supervisor)
{
    while (supervisor->pending.type != 0) {
        struct pollfd room = {.fd = supervisor->jail.control, .events = POLLOUT};
        poll(&room, 1, -1);
        if (room.revents & (POLLHUP | POLLERR)) _exit(0);
        supervise_send_pending(supervisor);
    }
}

_Noreturn void supervise_finish(struct supervisor *supervisor, enum wire_cause cause)
{
    struct wire_closed closed;
    sandbox_kill(supervisor, &closed);
    flush_pending(supervisor);
    if (supervisor->deadly.size != 0)
        wire_send(supervisor->jail.control, WIRE_VIOLATION, 0, &supervisor->deadly, sizeof supervisor->deadly, NULL,
                  0, 0);
    deliver_last_words(supervisor);
    deliver_ends(supervisor, cause, &closed);
    wire_send(supervisor->jail.control, WIRE_CLOSED, 0, &closed, sizeof closed, NULL, 0, 0);
    _exit(0);
}

/*
 * The sandbox ends with its command: the command's report waits until everything else is gone. When init is alone
 * nothing of the job is left already, and the JVM need not wait for the end of init.
 */
_Noreturn void supervise_finish_with(struct supervisor *supervisor, uint32_t id, struct wire_exited *exited)
{
    struct wire_closed closed;
    int alone = (exited->full & EXITED_ALONE) != 0;
    exited->full &= ~EXITED_ALONE;
    if (!alone) sandbox_kill(supervisor, &closed);
    flush_pending(supervisor);
    wire_send(supervisor->jail.control, WIRE_EXITED, id, exited, sizeof *exited, NULL, 0, 0);
    if (alone) sandbox_kill(supervisor, &closed);
    deliver_last_words(supervisor);
    deliver_ends(supervisor, CAUSE_CLOSED, &closed);
    wire_send(supervisor->jail.control, WIRE_CLOSED, 0, &closed, sizeof closed, NULL, 0, 0);
    _exit(0);
}
