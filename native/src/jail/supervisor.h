/* supervisor.h - the state of one supervisor, shared by its set-up, its loop and its end. */
#ifndef JAIL_SUPERVISOR_H
#define JAIL_SUPERVISOR_H

#include "guard.h"
#include "jail.h"
#include "notify.h"
#include "wire.h"

/* After as many, callers wait in their calls: what a job does in a loop is our time, and not counted as the job's. */
#define NOTICES_AT_ONCE 256
#define NOTICE_REST_NS  10000000u

#define VIOLATIONS_TOLD                                                                                              \
    256 /* of one command; a job that trips the wire in a loop is not to flood the control plane */

/* A command that was asked for and has not ended. */
struct watch {
    uint32_t id; /* 0: free */
    uint32_t flags;
    uint64_t deadline; /* 0: not started yet */
    uint64_t started;
    uint64_t cpu_ns;
    uint32_t on_violation;
    pid_t pid; /* as the sandbox sees it, its session's id too; 0: not started yet */
    int violations;
    uint32_t full; /* enum wire_full, what init told of while it ran */
};

/* A message to the JVM that found no room. While there is one, nothing more is read from init. */
struct pending {
    unsigned type; /* 0: none */
    uint32_t id;
    int fd;
    size_t length;
    unsigned char body[sizeof(struct wire_failed)];
};

struct supervisor {
    struct jail jail;
    pid_t init;
    int init_pidfd;
    int init_socket;
    int listener;
    struct observer *observer; /* NULL: this sandbox does not learn */
    int observed;              /* the listener of its command's filter; -1: none yet, or none any more */
    int timer;
    int violations;       /* of processes that belong to no command any more */
    int noticed;          /* notifications of the filter so far */
    uint64_t resting;     /* until when no more are taken */
    struct notice notice; /* a caller that waits until it is known whose it is */
    int asked;            /* init was asked which commands run, and has not answered */
    uint64_t paused;      /* since when the clocks stand; 0: they go */
    struct guard guard;
    struct wire_violation deadly; /* what the sandbox ends for; size 0: nothing yet */
    int parked;                   /* `request` waits for room in init's socket */
    struct watch watches[WIRE_MAX_EXECS];
    struct pending pending;
    struct wire_message request; /* from the JVM */
    struct wire_message reply;   /* from init */
};

/* Builds the sandbox: everything up to READY. Ends the process when it fails. */
void setup_run(struct supervisor *supervisor);

/*
 * Passes a command that was asked for with its sandbox on to init, which reads it when the jail stands: neither has
 * to wake the other for it. Any other request stays where it is.
 */
void supervise_take_ahead(struct supervisor *supervisor);

/* Whether a command was taken, which may run or have run. */
int supervise_has_command(const struct supervisor *supervisor);

/* Serves until the sandbox ends. */
_Noreturn void supervise(struct supervisor *supervisor);

/* Says something to the JVM, now or when there is room; drops it when something else waits for that. Takes over `fd`.
 */
void supervise_tell(struct supervisor *supervisor, unsigned type, uint32_t id, const void *body, size_t length,
                    int fd);

/* Sends what waits, if there is room now. */
void supervise_send_pending(struct supervisor *supervisor);

/* The command of that id; 0: a free place. NULL when there is none. */
struct watch *supervise_find(struct supervisor *supervisor, uint32_t id);

/* Keeps what the reply, a WIRE_MET, tells of its command. */
void supervise_note_met(struct supervisor *supervisor);

/* Ends what is over its time and sets the timer to the next moment that matters. */
void clocks_check(struct supervisor *supervisor);

/* The jail stands: the clock of a command that was taken ahead starts anew. */
void clocks_begin(struct supervisor *supervisor);

void clocks_stop(struct supervisor *supervisor);
void clocks_start(struct supervisor *supervisor);

/* Ends one command, or the sandbox when that is its last. */
void supervise_end(struct supervisor *supervisor, struct watch *watch, enum wire_cause cause);

/* Ends the sandbox. */
_Noreturn void supervise_finish(struct supervisor *supervisor, enum wire_cause cause);

/* Ends the sandbox with its last command. */
_Noreturn void supervise_finish_with(struct supervisor *supervisor, uint32_t id, struct wire_exited *exited);

/* Ends a guarded sandbox when something in it tried to reach the network. */
void supervise_guard(struct supervisor *supervisor);

/* Takes a notification of the filter, when there is one. */
void tripwire_serve(struct supervisor *supervisor);

/* For how many milliseconds no notification is taken; 0: the next one may come. */
int tripwire_rest(const struct supervisor *supervisor);

/* Answers the caller that waits, once it is known whose it is. */
void tripwire_judge(struct supervisor *supervisor);

/* Whether init is still to be asked for that. */
int tripwire_wants_to_ask(const struct supervisor *supervisor);

/* Kills whatever runs in the sandbox, and waits until it is gone. Sets *closed. */
void sandbox_kill(struct supervisor *supervisor, struct wire_closed *closed);

#endif
