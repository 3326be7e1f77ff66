/* tripwire.c - whose a refused system call is, and what follows from it. */
#include "supervisor.h"
#include "sys.h"

#include <sys/socket.h>

static struct watch *find_session(struct supervisor *supervisor, pid_t session)
{
    for (size_t i = 0; session > 0 && i < ARRAY_LENGTH(supervisor->watches); i++) {
        struct watch *watch = &supervisor->watches[i];
        if (watch->id != 0 && watch->pid == session) return watch;
    }
    return NULL;
}

/* Init tells of commands that run only when it is asked: most never trip the wire. */
static int some_are_starting(const struct supervisor *supervisor)
{
    for (size_t i = 0; i < ARRAY_LENGTH(supervisor->watches); i++)
        if (supervisor->watches[i].id != 0 && supervisor->watches[i].pid == 0) return 1;
    return 0;
}

static int some_kill(const struct supervisor *supervisor)
{
    for (size_t i = 0; i < ARRAY_LENGTH(supervisor->watches); i++)
        if (supervisor->watches[i].id != 0 && supervisor->watches[i].on_violation == VIOLATION_KILL) return 1;
    return 0;
}

/* What it answers is complete for the commands that were asked for before; for later ones it is asked again. */
static void ask_init(struct supervisor *supervisor)
{
    if (supervisor->asked) return;
    supervisor->asked = wire_send(supervisor->init_socket, WIRE_WHO, 0, NULL, 0, NULL, 0, MSG_DONTWAIT) == 0;
}

int tripwire_wants_to_ask(const struct supervisor *supervisor)
{
    return supervisor->notice.violation.size != 0 && !supervisor->asked && supervisor->pending.type == 0;
}

int tripwire_rest(const struct supervisor *supervisor)
{
    uint64_t now = supervisor->resting == 0 ? 0 : clock_now();
    return now >= supervisor->resting ? 0 : (int)((supervisor->resting - now) / 1000000u) + 1;
}

void supervise_guard(struct supervisor *supervisor)
{
    if (!guard_reached_out(&supervisor->guard)) return;
    supervisor->deadly = (struct wire_violation){
        .size = sizeof supervisor->deadly,
        .syscall = CALL_NETWORK,
        .killed = 1,
    };
    supervise_finish(supervisor, CAUSE_NETWORK);
}

/* A call that only a guarded sandbox hears of: refused as the profile says, and told when there are too many. */
static void count_refusal(struct supervisor *supervisor)
{
    struct notice notice = supervisor->notice;
    supervisor->notice = (struct notice){0};
    if (!guard_burst(&supervisor->guard)) {
        notify_refuse(supervisor->listener, &notice);
        return;
    }
    notice.violation.killed = 1;
    supervisor->deadly = notice.violation;
    supervise_finish(supervisor, CAUSE_BURST);
}

void tripwire_serve(struct supervisor *supervisor)
{
    if (supervisor->noticed < NOTICES_AT_ONCE)
        supervisor->noticed++;
    else
        supervisor->resting = clock_now() + NOTICE_REST_NS;
    if (!notify_take(supervisor->listener, &supervisor->notice)) return;
    if (guard_counts(&supervisor->guard, supervisor->notice.violation.syscall))
        count_refusal(supervisor);
    else
        tripwire_judge(supervisor);
}

/* A caller that left its command's session is anybody's: any command that wants violators dead ends all of it then.
 */
void tripwire_judge(struct supervisor *supervisor)
{
    struct notice notice = supervisor->notice;
    if (notice.violation.size == 0 || supervisor->pending.type != 0) return;
    struct watch *watch = find_session(supervisor, notice.session);
    if (watch == NULL && some_are_starting(supervisor)) {
        ask_init(supervisor);
        return;
    }
    supervisor->notice = (struct notice){0};
    int kill_it = watch == NULL ? some_kill(supervisor) : watch->on_violation == VIOLATION_KILL;
    notice.violation.killed = (uint32_t)kill_it;
    if (kill_it && (watch == NULL || watch->flags & EXEC_FINAL)) {
        supervisor->deadly = notice.violation;
        supervise_finish(supervisor, CAUSE_VIOLATION);
    }
    if (!kill_it) notify_refuse(supervisor->listener, &notice);
    int *told = watch == NULL ? &supervisor->violations : &watch->violations;
    if ((*told)++ < VIOLATIONS_TOLD || kill_it)
        supervise_tell(supervisor, WIRE_VIOLATION, watch == NULL ? 0 : watch->id, &notice.violation,
                       sizeof notice.violation, -1);
    if (kill_it) supervise_end(supervisor, watch, CAUSE_VIOLATION);
}
