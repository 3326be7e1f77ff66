/*
 * cordon-supervisor - runs one sandbox.
 *
 * Theory of operation
 *
 * Three kinds of processes take part, joined by SOCK_SEQPACKET sockets that carry the messages of cordon_wire.h:
 *
 *   JVM           The control plane. Started this program through libcordon.so with the control socket as
 *                 descriptor 3, nothing else open, no arguments that matter and an empty environment. Sends OPEN
 *                 (a sealed plan, a sealed filter, cgroup descriptors), then EXEC, SIGNAL, FILE, CLOSE.
 *
 *   supervisor    This program, outside the jail, with its caller's uid. Single-threaded. Opens what is bound into
 *                 the jail (when it is root), clones init into new namespaces, writes init's uid and gid maps, then
 *                 relays between the two sockets. It owns the wall-clock and CPU-time limits, so that they hold
 *                 while the JVM is paused, and answers the filter's notifications. Once the jail stands it keeps no
 *                 capability but CAP_KILL. When the control socket ends, the JVM is dead: it kills everything.
 *
 *   init          A copy of this program without exec, pid 1 of the jail. Builds the root, drops every privilege,
 *                 loads the filter, then starts commands, opens files and reaps. Not dumpable; holds its socket and
 *                 a signalfd. When its socket ends, the supervisor is dead: it exits, and the kernel kills
 *                 everything in its pid namespace. (PDEATHSIG says the same, in case init is stopped.)
 *
 *   the job       Children of init, with pipes of the JVM as stdin, stdout and stderr.
 *
 * Two kinds of failure never meet. "The sandbox failed" is a FAILED message with a stage and an errno, sent before
 * any command has run (or, when the set-up passes its deadline just as the jail stands, when what had begun is
 * killed); the process then exits 1. "The program failed" is an EXITED message about one command. A step that fails
 * ends the set-up: nothing weaker than the plan ever runs.
 *
 * The steps are lists: setup.c has the supervisor's, init.c has init's; the plan's mount operations are the third.
 */
#include "cordon.h"
#include "network.h"
#include "relro.h"
#include "supervisor.h"
#include "sys.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>

#define CONTROL_FD 3

/* The JVM starts us with every signal blocked and may have left some ignored, which exec keeps. */
static void reset_signals(void)
{
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction standard = {.sa_handler = SIG_DFL};
        sigaction(signal, &standard, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static struct supervisor *create(void)
{
    struct supervisor *supervisor = calloc(1, sizeof *supervisor);
    if (supervisor == NULL) return NULL;
    struct jail *jail = &supervisor->jail;
    jail->control = CONTROL_FD;
    jail->filter = jail->job_filter = jail->cgroup = jail->cgroup_kill = -1;
    jail->cpu_usage = jail->lease = jail->netns = jail->root = jail->parent.fd = jail->empty = jail->null =
        jail->listener = jail->observe = jail->devices = jail->layer.fd = jail->made = -1;
    supervisor->init_pidfd = supervisor->init_socket = supervisor->listener = supervisor->observed = -1;
    supervisor->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    return supervisor->timer < 0 ? NULL : supervisor;
}

int main(int argc, char **argv)
{
    if (relro_seal() < 0) return 2;
    reset_signals();
    setsid(); /* a Ctrl-C at the caller's terminal is for the caller */
    if (fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC) < 0) return 2; /* not started by libcordon.so */
    if (chdir("/") < 0) return 2; /* requests for files are resolved from here, and no directory is pinned */
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    struct supervisor *supervisor = create();
    if (supervisor == NULL) return 2;
    if (argc > 0 && strcmp(argv[0], CORDON_SUPERVISOR_OF_JAIL) == 0) network_prepare(&supervisor->jail);
    setup_run(supervisor);
    supervise(supervisor);
}
