/* a_identity.c - who the job is and what it may become. */
#include "probe.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define NOBODY   65534
#define AWAIT_MS 20000 /* ends only what hangs */

/* ---- programs that give away privileges ---- */

static const char *const SETUID_PROGRAMS[] = {
    "/usr/bin/su",     "/usr/bin/mount",   "/usr/bin/umount",    "/usr/bin/passwd", "/usr/bin/chfn",
    "/usr/bin/newgrp", "/usr/bin/gpasswd", "/usr/bin/newuidmap", "/bin/su",         "/bin/mount",
};

struct observed {
    unsigned effective_uid;
    unsigned long long permitted;
};

/* A pipe with no room: a program that prints its help into it stays where it is and can be looked at. */
static int full_pipe(int ends[2])
{
    static const char block[4096];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -1;
    while (write(ends[1], block, sizeof block) > 0) {
    }
    while (write(ends[1], block, 1) > 0) {
    }
    return fcntl(ends[1], F_SETFL, 0);
}

static _Noreturn void become(const struct trial *trial, const char *path, int output)
{
    char *const argv[] = {(char *)path, "--help", NULL};
    char *const none[] = {NULL};
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    /* Opened before: the directory above a setuid copy is nobody's business. */
    int program = open(path, O_PATH | O_CLOEXEC);
    /* As root there is nothing to gain, so the control starts from nobody. */
    if (trial->control && trial->root &&
        (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0))
        _exit(1);
    dup2(output, 1);
    dup2(output, 2);
    syscall(SYS_execveat, program, "", argv, none, AT_EMPTY_PATH);
    _exit(1);
}

/*
 * Waits until the program runs and writes into the full pipe. The close-on-exec pipe ends in the middle of the exec,
 * before the kernel gives the process its new ids: from there on, what sleeps has them. What ended instead is looked
 * at as it is.
 */
static void await_program(pid_t pid, int end)
{
    struct pollfd gone = {.fd = end, .events = POLLIN};
    poll(&gone, 1, AWAIT_MS);
    char path[64], state[64];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    for (int waited = 0; waited < AWAIT_MS; waited++) {
        if (status_field(path, "State", state, sizeof state) < 0 || state[0] == 'S' || state[0] == 'Z') return;
        poll(NULL, 0, 1);
    }
}

static int look_at(pid_t pid, struct observed *observed)
{
    char path[64], text[128];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    unsigned real;
    if (status_field(path, "Uid", text, sizeof text) < 0) return -1;
    if (sscanf(text, "%u %u", &real, &observed->effective_uid) != 2) return -1;
    if (status_field(path, "CapPrm", text, sizeof text) < 0) return -1;
    observed->permitted = strtoull(text, NULL, 16);
    return 0;
}

static int observe(const struct trial *trial, const char *path, struct observed *observed)
{
    int output[2], executed[2];
    if (full_pipe(output) < 0 || pipe2(executed, O_CLOEXEC) < 0) return -1;
    pid_t pid = fork();
    if (pid == 0) become(trial, path, output[1]);
    close(executed[1]);
    if (pid > 0) await_program(pid, executed[0]);
    int seen = pid < 0 ? -1 : look_at(pid, observed);
    close(executed[0]);
    close(output[0]);
    close(output[1]);
    if (pid > 0) {
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    return seen;
}

static void judge(struct trial *trial, const char *attempt, const char *path)
{
    struct observed observed;
    unsigned before = trial->control && trial->root ? NOBODY : geteuid();
    if (observe(trial, path, &observed) < 0)
        tell_escaped(trial, attempt, "%s changed so that it can't be looked at any more", path);
    else if (observed.effective_uid != before)
        tell_escaped(trial, attempt, "%s runs as uid %u", path, observed.effective_uid);
    else if (observed.permitted != 0)
        tell_escaped(trial, attempt, "%s has capabilities %llx", path, observed.permitted);
    else
        tell_denied_as(trial, attempt, "%s gains nothing", path);
}

static const char *find_setuid(void)
{
    struct stat status;
    for (size_t i = 0; i < ARRAY_LENGTH(SETUID_PROGRAMS); i++)
        if (stat(SETUID_PROGRAMS[i], &status) == 0 && (status.st_mode & S_ISUID) &&
            access(SETUID_PROGRAMS[i], R_OK) == 0)
            return SETUID_PROGRAMS[i];
    return NULL;
}

static int copy_self(const char *path, mode_t mode)
{
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    static char block[65536];
    ssize_t got;
    while ((got = read(from, block, sizeof block)) > 0)
        if (write(to, block, (size_t)got) != got) return -1;
    int done = got == 0 ? fchmod(to, mode) : -1;
    close(from);
    close(to);
    return done;
}

/* A copy of this program with CAP_NET_RAW in the file, as `setcap cap_net_raw+ep` would leave it. */
static int make_privileged(const char *setuid, const char *filecaps)
{
    const uint32_t caps[5] = {VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE, 1u << CAP_NET_RAW, 0, 0, 0};
    if (copy_self(setuid, 04755) < 0 || copy_self(filecaps, 0755) < 0) return -1;
    return setxattr(filecaps, "security.capability", caps, sizeof caps, 0);
}

static void run_privileged(struct trial *trial)
{
    const char *directory = argument(trial, 0, "/nowhere");
    char copy[4096], filecaps[4096], text[64];
    snprintf(copy, sizeof copy, "%s/setuid", directory);
    snprintf(filecaps, sizeof filecaps, "%s/filecaps", directory);
    if (trial->control && trial->root) make_privileged(copy, filecaps);
    const char *program = access(copy, X_OK) == 0 ? copy : find_setuid();
    if (program == NULL)
        tell_untried(trial, "setuid program", "this host has none that can be read");
    else
        judge(trial, "setuid program", program);
    if (access(filecaps, X_OK) == 0)
        judge(trial, "program with file capabilities", filecaps);
    else
        tell_untried(trial, "program with file capabilities", "only root can make one");
    int told = status_field("/proc/self/status", "NoNewPrivs", text, sizeof text);
    if (told < 0 || strcmp(text, "1") != 0)
        tell_escaped(trial, "no_new_privs", "it is %s", told < 0 ? "not to be seen" : text);
    else
        tell_denied_as(trial, "no_new_privs", "it is set");
}

/* ---- capabilities ---- */

static int raise_all(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &header, sets) < 0) return -1;
    for (size_t i = 0; i < ARRAY_LENGTH(sets); i++)
        sets[i].inheritable = sets[i].effective = sets[i].permitted;
    return (int)syscall(SYS_capset, &header, sets);
}

static void compare_set(struct trial *trial, const char *field)
{
    char text[64];
    if (status_field("/proc/self/status", field, text, sizeof text) < 0)
        tell_untried(trial, field, "/proc/self/status: %s", errno_name(errno));
    else if (strtoull(text, NULL, 16) != 0)
        tell_escaped(trial, field, "%s", text);
    else
        tell_denied_as(trial, field, "empty");
}

static void grow(struct trial *trial, const void *unused)
{
    (void)unused;
    /* Everything that a user namespace gives: what a job would have if its jail had not taken it. */
    if (trial->control && (own_namespaces(0) < 0 || raise_all() < 0)) {
        tell_denied(trial, "ambient raise", errno);
        return;
    }
    tell_call(trial, "ambient raise", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_RAW, 0, 0));
    static const char *const SETS[] = {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"};
    for (size_t i = 0; i < ARRAY_LENGTH(SETS); i++)
        compare_set(trial, SETS[i]);
    const int locked = SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                       SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
    int bits = prctl(PR_GET_SECUREBITS, 0, 0, 0, 0);
    if ((bits & locked) == locked)
        tell_denied_as(trial, "securebits", "locked: %#x", (unsigned)bits);
    else
        tell_escaped(trial, "securebits", "not locked: %#x", (unsigned)bits);
    tell_call(trial, "setuid to 0", setresuid(0, 0, 0));
    tell_call(trial, "setgid to 0", setresgid(0, 0, 0));
}

static void check_capabilities(struct trial *trial)
{
    try_in_child(trial, "capabilities", grow, NULL);
}

/* ---- whose uid it is on the host ---- */

static void find_host_uid(struct trial *trial)
{
    char text[256];
    unsigned inside = 0, outside = 0, count = 0, own = geteuid();
    if (read_text("/proc/self/uid_map", text, sizeof text) < 0) {
        tell_untried(trial, "host uid", "/proc/self/uid_map: %s", errno_name(errno));
        return;
    }
    for (char *line = text; line != NULL; line = strchr(line + 1, '\n')) {
        if (sscanf(line, "%u %u %u", &inside, &outside, &count) != 3) continue;
        if (own < inside || own - inside >= count) continue;
        if (inside == 0 && count > 65536)
            tell_escaped(trial, "host uid", "the host's own ids: host uid %u", own);
        else
            tell_denied_as(trial, "host uid", "host uid %u", outside + (own - inside));
        return;
    }
    tell_untried(trial, "host uid", "uid %u is not mapped", own);
}

/* Argument: wait, to keep the uid until standard input ends. */
static void tell_host_uid(struct trial *trial)
{
    char byte;
    find_host_uid(trial);
    if (strcmp(argument(trial, 0, ""), "wait") != 0) return;
    if (write(1, "ready\n", 6) != 6) return;
    while (read(0, &byte, 1) > 0) {
    }
}

const struct probe A_IDENTITY[] = {
    {"A-05", "setuid programs and file capabilities", run_privileged},
    {"A-06", "capabilities in the user namespace", check_capabilities},
    {"A-10", "uid shared between jobs", tell_host_uid},
    {NULL, NULL, NULL},
};
