/* d_processes.c - processes, signals, crashes, limits, scheduling: D-02, D-04, D-13, D-14, D-16. */
#include "probe.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- D-02: orphans that nobody reaps ---- */

#define ORPHANS 64

struct zombies {
    int count;
};

static int visit_zombie(void *context, const char *path, const char *name, unsigned char type)
{
    char file[4200], state[32];
    if (type != DT_DIR || !isdigit((unsigned char)name[0])) return 1;
    snprintf(file, sizeof file, "%s/status", path);
    if (status_field(file, "State", state, sizeof state) == 0 && state[0] == 'Z')
        ((struct zombies *)context)->count++;
    return 1;
}

static int count_zombies(void)
{
    struct zombies zombies = {0};
    walk("/proc", 0, visit_zombie, &zombies);
    return zombies.count;
}

/* A child that leaves a child behind; both end at once. */
static void make_orphan(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (fork() == 0) _exit(0);
        _exit(0);
    }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

static void orphan(struct trial *trial, const void *unused)
{
    (void)unused;
    int before = count_zombies();
    /* The control takes the orphans itself, and lets them lie. */
    if (trial->control) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (int i = 0; i < ORPHANS; i++)
        make_orphan();
    int left = 0;
    for (int look = 0; look < 50; look++) {
        struct timespec moment = {.tv_nsec = 20000000};
        left = count_zombies() - before;
        if (left <= 0) break;
        if (!trial->control) nanosleep(&moment, NULL);
    }
    if (left > 0)
        tell_escaped(trial, "zombies", "%d of %d orphans are left", left, ORPHANS);
    else
        tell_denied_as(trial, "zombies", "all %d orphans were reaped", ORPHANS);
}

static void leave_orphans(struct trial *trial)
{
    try_in_child(trial, "zombies", orphan, NULL);
}

/* ---- D-04: signals to whoever runs us, and to other jobs ---- */

#define HIGHEST_PID 65536

static void signal_every_way(struct trial *trial, pid_t target)
{
    union sigval none = {0};
    int pair[2], number = SIGURG; /* ignored unless handled: whether it arrives is what counts */
    tell_call(trial, "kill", kill(target, number));
    tell_call(trial, "tgkill", syscall(SYS_tgkill, target, target, number));
    tell_call(trial, "tkill", syscall(SYS_tkill, target, number));
    tell_call(trial, "sigqueue", sigqueue(target, number, none));
    int pidfd = (int)syscall(SYS_pidfd_open, target, 0);
    tell_call(trial, "pidfd_send_signal", pidfd < 0 ? -1 : syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0));
    if (pidfd >= 0) close(pidfd);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return;
    tell_call(trial, "F_SETOWN", fcntl(pair[0], F_SETOWN, target));
    close(pair[0]);
    close(pair[1]);
}

/* Init is of the job's uid; the kernel drops what it does not handle. If it died, this process would be gone, too. */
static void signal_init(struct trial *trial, pid_t own)
{
    static const int SIGNALS[] = {SIGHUP, SIGINT, SIGTERM, SIGSEGV, SIGSTOP, SIGKILL};
    pid_t target = own > 0 ? own : 1;
    if (own <= 0 && getppid() != 1) return;
    for (size_t i = 0; i < ARRAY_LENGTH(SIGNALS); i++)
        kill(target, SIGNALS[i]);
    struct timespec moment = {.tv_nsec = 20000000};
    nanosleep(&moment, NULL);
    if (own > 0 && waitpid(own, NULL, 0) == own)
        tell_escaped(trial, "ending init", "the stand-in is gone");
    else
        tell_denied_as(trial, "ending init", "it lives");
}

/* Whoever else there is: signal 0 asks and does nothing. */
static void count_processes(struct trial *trial)
{
    int others = 0;
    pid_t first = 0, self = getpid();
    for (pid_t pid = 2; pid < HIGHEST_PID; pid++) {
        if (pid == self || (kill(pid, 0) < 0 && errno == ESRCH)) continue;
        if (others++ == 0) first = pid;
    }
    if (others > 0)
        tell_escaped(trial, "other processes", "%d can be seen, the first is %d", others, (int)first);
    else
        tell_denied_as(trial, "other processes", "none can be seen");
}

/* Arguments: processes of the host, as it numbers them. */
static void send_signals(struct trial *trial)
{
    pid_t own = trial->control ? stand_in() : 0;
    if (own > 0) signal_every_way(trial, own);
    for (int i = 0; i < trial->argc && own == 0; i++)
        signal_every_way(trial, (pid_t)argument_number(trial, i, 0));
    count_processes(trial);
    signal_init(trial, own);
}

/* ---- D-13: core dumps ---- */

struct crash {
    const char *name;
    int number;
};

static void check_crash(struct trial *trial, const struct crash *crash)
{
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
        if (trial->control) setrlimit(RLIMIT_CORE, &all);
        signal(crash->number, SIG_DFL);
        raise(crash->number);
        _exit(0);
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFSIGNALED(status))
        tell_untried(trial, crash->name, "it did not crash");
    else if (WCOREDUMP(status))
        tell_escaped(trial, crash->name, "the kernel dumped core");
    else
        tell_denied_as(trial, crash->name, "no core");
}

static int visit_core(void *context, const char *path, const char *name, unsigned char type)
{
    (void)type;
    if (strncmp(name, "core", 4) != 0) return 0;
    (*(int *)context)++;
    unlink(path);
    return 0;
}

/* Argument: a directory that may hold a core file for a moment. */
static void dump_core(struct trial *trial)
{
    static const struct crash CRASHES[] = {{"SIGSEGV", SIGSEGV}, {"SIGABRT", SIGABRT}, {"SIGQUIT", SIGQUIT}};
    char pattern[256] = "core";
    read_text("/proc/sys/kernel/core_pattern", pattern, sizeof pattern);
    if (trial->control && (pattern[0] == '|' || pattern[0] == '/')) {
        tell_untried(trial, "core dumps", "core_pattern leads elsewhere: the control would run the host's handler");
        return;
    }
    if (chdir(argument(trial, 0, "/tmp")) < 0) {
        tell_untried(trial, "core dumps", "%s: %s", argument(trial, 0, "/tmp"), errno_name(errno));
        return;
    }
    int cores = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(CRASHES); i++)
        check_crash(trial, &CRASHES[i]);
    walk(".", 0, visit_core, &cores);
    if (cores > 0)
        tell_escaped(trial, "core files", "%d", cores);
    else if (trial->control)
        tell_untried(trial, "core files", "core_pattern gives them another name");
    else
        tell_denied_as(trial, "core files", "none");
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    tell_call(trial, "raise RLIMIT_CORE", setrlimit(RLIMIT_CORE, &limit));
}

/* ---- D-14: other limits ---- */

#define MANY_FILES 4096

static void open_many(struct trial *trial, const void *unused)
{
    (void)unused;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    int opened = 0;
    while (opened <= MANY_FILES && open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
        opened++;
    if (opened > MANY_FILES)
        tell_escaped(trial, "open files", "%d", opened);
    else if (trial->control && limit.rlim_max <= MANY_FILES)
        tell_untried(trial, "open files", "the host's own limit is %lu", (unsigned long)limit.rlim_max);
    else
        tell_denied(trial, "open files", errno);
}

static void lock_memory(struct trial *trial, const void *unused)
{
    const size_t bytes = 1 << 20;
    (void)unused;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long locked = memory == MAP_FAILED ? -1 : mlock(memory, bytes);
    if (locked < 0 && trial->control && !trial->root)
        tell_untried(trial, "locked memory", "the host's own limit refuses it");
    else
        tell_call(trial, "locked memory", locked);
}

static void raise_limits(struct trial *trial, const void *unused)
{
    static const struct {
        const char *name;
        int resource;
    } RESOURCES[] = {
        {"raise RLIMIT_NOFILE", RLIMIT_NOFILE},
        {"raise RLIMIT_MEMLOCK", RLIMIT_MEMLOCK},
        {"raise RLIMIT_FSIZE", RLIMIT_FSIZE},
    };
    (void)unused;
    for (size_t i = 0; i < ARRAY_LENGTH(RESOURCES); i++) {
        struct rlimit limit;
        if (getrlimit(RESOURCES[i].resource, &limit) < 0) continue;
        if (limit.rlim_max == RLIM_INFINITY) {
            tell_escaped(trial, RESOURCES[i].name, "there is none");
            continue;
        }
        limit.rlim_max += 4096;
        limit.rlim_cur = limit.rlim_max;
        long raised = setrlimit(RESOURCES[i].resource, &limit);
        if (raised < 0 && trial->control)
            tell_untried(trial, RESOURCES[i].name, "needs CAP_SYS_RESOURCE");
        else
            tell_call(trial, RESOURCES[i].name, raised);
    }
}

static void limit_init(struct trial *trial)
{
    struct rlimit limit;
    pid_t target = trial->control ? stand_in() : 1;
    tell_call(trial, "limits of init", syscall(SYS_prlimit64, target, RLIMIT_NOFILE, NULL, &limit));
    if (trial->control) stand_down(target);
}

static void exceed_limits(struct trial *trial)
{
    try_in_child(trial, "open files", open_many, NULL);
    try_in_child(trial, "locked memory", lock_memory, NULL);
    try_in_child(trial, "limits", raise_limits, NULL);
    limit_init(trial);
}

/* ---- D-16: being more important than others ---- */

/* struct sched_attr, whose header and musl's exclude each other. */
struct deadline {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static void be_realtime(struct trial *trial, const void *unused)
{
    struct sched_param highest = {.sched_priority = 1};
    (void)unused;
    tell_call(trial, "SCHED_FIFO", syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &highest));
    tell_call(trial, "SCHED_RR", syscall(SYS_sched_setscheduler, 0, SCHED_RR | 0x40000000, &highest));
    struct sched_param plain = {0};
    syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &plain);
    tell_call(trial, "negative nice", setpriority(PRIO_PROCESS, 0, -5));
    tell_call(trial, "real-time input and output", syscall(SYS_ioprio_set, 1, 0, (1 << 13) | 4));
    tell_call(trial, "mlockall", mlockall(MCL_CURRENT));
    struct deadline deadline = {sizeof deadline, 6, 0, 0, 0, 1000000, 10000000, 10000000};
    tell_call(trial, "SCHED_DEADLINE", syscall(SYS_sched_setattr, 0, &deadline, 0));
}

static void gain_priority(struct trial *trial)
{
    try_in_child(trial, "priorities", be_realtime, NULL);
}

const struct probe D_PROCESSES[] = {
    {"D-02", "orphans that nobody reaps", leave_orphans},
    {"D-04", "signals to others", send_signals},
    {"D-13", "core dumps", dump_core},
    {"D-14", "other limits", exceed_limits},
    {"D-16", "real-time and priorities", gain_priority},
    {NULL, NULL, NULL},
};
