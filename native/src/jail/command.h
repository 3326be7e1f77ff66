/* command.h - starting the job's processes from inside the jail. */
#ifndef JAIL_COMMAND_H
#define JAIL_COMMAND_H

#include "jail.h"
#include "wire.h"

#include <linux/filter.h>

#define COMMAND_STACK_BYTES (64 * 1024)

/* What init knows of the sandbox once it stands. */
struct house {
    int control;
    int namespaced;
    const char *label;
    const struct plan *plan;
    const struct sock_fprog *job_filter; /* NULL: the job runs under init's own */
    int observed;                        /* the command's calls are told to the supervisor */
    char *stack;                         /* COMMAND_STACK_BYTES that children start on, one at a time */
#ifdef CORDON_FAULTS
    int leaky; /* the job is born with a descriptor too many */
#endif
};

/* An exec request taken apart: argv and envp point into `strings`. command_free gives all of it back. */
struct command {
    const struct wire_exec *exec;
    const char *cwd;
    char **argv;
    char **envp;
    char *strings;
    int stdio[3];     /* borrowed from the message, as the next; -1: /dev/null */
    const int *extra; /* what become 3, 4, ...; exec->extra_fds of them */
};

/* Why a command did not start: whose step it was, and its errno. */
struct refusal {
    enum stage stage;
    int error;
};

/* Checks the message and its strings. 0, or -EPROTO and the like. */
int command_parse(struct command *command, struct wire_message *message);

void command_free(struct command *command);

/*
 * Starts it. The pid, or -1 with *refusal set; nothing of the job has run then. *tty is the master of the terminal
 * that the command asked for, the caller's to close; else -1.
 */
pid_t command_start(const struct command *command, const struct house *house, struct refusal *refusal, int *tty);

#endif
