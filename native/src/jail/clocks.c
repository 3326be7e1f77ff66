/* clocks.c - the time limits of commands: wall clock and CPU time, which stand still while a sandbox is paused. */
#include "supervisor.h"
#include "sys.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#define SHORTEST_TICK_NS 10000000u
#define LONGEST_TICK_NS  1000000000u
#define KILL_PATIENCE_NS 2000000000u

/* cpuacct.usage holds nanoseconds; cpu.stat starts with "usage_usec N". UINT64_MAX when it can't be told. */
static uint64_t cpu_used(const struct supervisor *supervisor)
{
    char text[64];
    ssize_t got = pread(supervisor->jail.cpu_usage, text, sizeof text - 1, 0);
    if (got <= 0) return UINT64_MAX;
    text[got] = 0;
    static const char v2[] = "usage_usec ";
    if (strncmp(text, v2, sizeof v2 - 1) == 0) return strtoull(text + sizeof v2 - 1, NULL, 10) * 1000u;
    return strtoull(text, NULL, 10);
}

/*
 * A job can't use more CPU time than it has CPUs: nothing needs to be looked at before that. Now and then it is
 * looked at all the same: we may be held to fewer CPUs than the job is.
 */
static uint64_t next_cpu_look(uint64_t left)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t tick = left / (uint64_t)(cpus > 0 ? cpus : 1);
    if (tick > LONGEST_TICK_NS) return LONGEST_TICK_NS;
    return tick < SHORTEST_TICK_NS ? SHORTEST_TICK_NS : tick;
}

static void set_timer(const struct supervisor *supervisor, uint64_t at)
{
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(at / 1000000000u), .tv_nsec = (long)(at % 1000000000u)},
    };
    timerfd_settime(supervisor->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static void kill_command(struct supervisor *supervisor, struct watch *watch, enum wire_cause cause)
{
    if (watch->flags & EXEC_FINAL) supervise_finish(supervisor, cause);
    struct wire_signal kill_it = {.size = sizeof kill_it, .signal = SIGKILL, .target = SIGNAL_TREE};
    wire_send(supervisor->init_socket, WIRE_SIGNAL, watch->id, &kill_it, sizeof kill_it, NULL, 0, MSG_DONTWAIT);
    if (watch->flags >> 24 != 0)
        supervise_finish(supervisor, watch->flags >> 24); /* it was told to end, and did not */
    watch->deadline = clock_now() + KILL_PATIENCE_NS;
    watch->cpu_ns = UINT64_MAX;
    watch->flags |= (uint32_t)cause << 24; /* told when its exit comes */
}

/* Ends what is over its time and sets the timer to the next moment that matters. */
void clocks_check(struct supervisor *supervisor)
{
    if (supervisor->paused != 0) return;
    uint64_t now = clock_now();
    uint64_t next = UINT64_MAX;
    uint64_t used = UINT64_MAX;
    for (size_t i = 0; i < ARRAY_LENGTH(supervisor->watches); i++) {
        struct watch *watch = &supervisor->watches[i];
        if (watch->id == 0 || watch->deadline == 0) continue;
        if (now >= watch->deadline) kill_command(supervisor, watch, CAUSE_WALL);
        if (watch->deadline < next) next = watch->deadline;
        if (watch->cpu_ns == UINT64_MAX || supervisor->jail.cpu_usage < 0) continue;
        if (used == UINT64_MAX) used = cpu_used(supervisor);
        if (used >= watch->cpu_ns) { /* also when it can't be read: a limit that can't be held is over */
            kill_command(supervisor, watch, CAUSE_CPU);
            continue;
        }
        uint64_t look = now + next_cpu_look(watch->cpu_ns - used);
        if (look < next) next = look;
    }
    if (next != UINT64_MAX && supervisor->guard.burst != 0) {
        supervise_guard(supervisor);
        if (now + GUARD_LOOK_NS < next) next = now + GUARD_LOOK_NS;
    }
    if (next != UINT64_MAX) set_timer(supervisor, next);
}

void clocks_begin(struct supervisor *supervisor)
{
    if (!supervise_has_command(supervisor)) return;
    uint64_t now = clock_now();
    for (size_t i = 0; i < ARRAY_LENGTH(supervisor->watches); i++) {
        struct watch *watch = &supervisor->watches[i];
        if (watch->id == 0) continue;
        if (watch->deadline < UINT64_MAX - (now - watch->started)) watch->deadline += now - watch->started;
        watch->started = now;
    }
    clocks_check(supervisor);
}

void supervise_end(struct supervisor *supervisor, struct watch *watch, enum wire_cause cause)
{
    kill_command(supervisor, watch, cause);
    clocks_check(supervisor);
}

void clocks_stop(struct supervisor *supervisor)
{
    if (supervisor->paused == 0) supervisor->paused = clock_now();
}

/* The time that a command stood still is not its own. */
void clocks_start(struct supervisor *supervisor)
{
    if (supervisor->paused == 0) return;
    uint64_t now = clock_now();
    for (size_t i = 0; i < ARRAY_LENGTH(supervisor->watches); i++) {
        struct watch *watch = &supervisor->watches[i];
        uint64_t since = watch->started > supervisor->paused ? watch->started : supervisor->paused;
        if (watch->id != 0 && watch->deadline < UINT64_MAX - (now - since)) watch->deadline += now - since;
    }
    supervisor->paused = 0;
    clocks_check(supervisor);
}
