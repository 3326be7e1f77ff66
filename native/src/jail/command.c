#include "command.h"
#include "filter.h"
#include "observe.h"
#include "sys.h"
#include "tty.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define NULL_FD 0 /* init's own standard input is /dev/null */

#ifndef RESOLVE_NO_MAGICLINKS
#define RESOLVE_NO_MAGICLINKS 2
#endif

/* ---- taking the request apart ---- */

static int read_strings(struct command *command, struct wire_message *message)
{
    const struct wire_exec *exec = command->exec;
    size_t length = exec->strings_bytes;
    int in_fd = (exec->flags & EXEC_STRINGS_FD) != 0;
    size_t inline_length = message->header.length - sizeof *exec;
    if (length == 0 || length > WIRE_MAX_STRINGS_BYTES || (!in_fd && length != inline_length)) return -EPROTO;
    command->strings = malloc(length);
    if (command->strings == NULL) return -ENOMEM;
    if (!in_fd) {
        memcpy(command->strings, message->body + sizeof *exec, length);
    } else {
        if (message->fd_count == 0) return -EPROTO;
        ssize_t got = pread(message->fds[message->fd_count - 1], command->strings, length, 0);
        if (got < 0) return -errno;
        if ((size_t)got != length) return -EPROTO;
    }
    return command->strings[length - 1] == 0 ? 0 : -EPROTO;
}

/* Points `count` entries at consecutive strings; NULL when there are fewer. */
static char *spread(char *at, const char *end, char **entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (at >= end) return NULL;
        entries[i] = at;
        at += strlen(at) + 1;
    }
    entries[count] = NULL;
    return at;
}

static int index_strings(struct command *command)
{
    const struct wire_exec *exec = command->exec;
    if (exec->argc == 0 || exec->argc > WIRE_MAX_STRINGS || exec->envc > WIRE_MAX_STRINGS) return -EPROTO;
    command->argv = calloc(exec->argc + 1, sizeof *command->argv);
    command->envp = calloc(exec->envc + 1, sizeof *command->envp);
    if (command->argv == NULL || command->envp == NULL) return -ENOMEM;
    char *end = command->strings + exec->strings_bytes;
    char *cwd[2] = {NULL, NULL};
    char *at = spread(command->strings, end, cwd, 1);
    if (at != NULL) at = spread(at, end, command->argv, exec->argc);
    if (at != NULL) at = spread(at, end, command->envp, exec->envc);
    if (at != end) return -EPROTO;
    command->cwd = cwd[0];
    return command->cwd[0] == '/' ? 0 : -EPROTO;
}

static unsigned stdio_expected(uint32_t flags)
{
    return flags & EXEC_TTY ? 0 : 1u + !(flags & EXEC_STDIN_NULL) + !(flags & EXEC_MERGE_STDERR);
}

static int assign_descriptors(struct command *command, const struct wire_message *message)
{
    const struct wire_exec *exec = command->exec;
    if (exec->extra_fds > WIRE_MAX_EXTRA_FDS) return -EPROTO;
    unsigned stdio = stdio_expected(exec->flags);
    if (message->fd_count != stdio + exec->extra_fds + !!(exec->flags & EXEC_STRINGS_FD)) return -EPROTO;
    command->extra = message->fds + stdio;
    if (stdio == 0) return 0;
    unsigned next = 0;
    command->stdio[0] = exec->flags & EXEC_STDIN_NULL ? -1 : message->fds[next++];
    command->stdio[1] = message->fds[next++];
    command->stdio[2] = exec->flags & EXEC_MERGE_STDERR ? command->stdio[1] : message->fds[next++];
    return 0;
}

int command_parse(struct command *command, struct wire_message *message)
{
    *command = (struct command){.stdio = {-1, -1, -1}};
    uint32_t stated;
    if (message->header.length < sizeof *command->exec) return -EPROTO;
    memcpy(&stated, message->body, sizeof stated);
    if (stated != sizeof *command->exec) return -EPROTO;
    command->exec = (const struct wire_exec *)(const void *)message->body;
    if (command->exec->rlimit_count > WIRE_MAX_RLIMITS || command->exec->wall_ns == 0) return -EPROTO;
    int error = assign_descriptors(command, message);
    if (error >= 0) error = read_strings(command, message);
    if (error >= 0) error = index_strings(command);
    return error;
}

void command_free(struct command *command)
{
    free(command->argv);
    free(command->envp);
    free(command->strings);
}

/* ---- the child: it shares init's memory until exec, so it writes nothing but *refusal ---- */

struct birth {
    const struct command *command;
    const struct house *house;
    struct refusal *refusal;
    int tty;
};

static int refuse(const struct birth *birth, enum stage stage, int error)
{
    *birth->refusal = (struct refusal){.stage = stage, .error = error};
    return 126;
}

static int descriptor_count(const struct birth *birth)
{
    return 3 + (int)birth->command->exec->extra_fds;
}

/* What the command's descriptor `number` is a copy of; the one above them is init's socket, until exec. */
static int descriptor_for(const struct birth *birth, int number)
{
    if (number == descriptor_count(birth)) return birth->house->control;
    if (number >= 3) return birth->command->extra[number - 3];
    int fd = birth->tty >= 0 ? birth->tty : birth->command->stdio[number];
    return fd >= 0 ? fd : NULL_FD;
}

/* Every descriptor that was not asked for is shut, not only marked: the job must find none (CVE-2024-21626). */
static int place_descriptors(const struct birth *birth)
{
    int wanted[3 + WIRE_MAX_EXTRA_FDS + 1];
    int theirs = descriptor_count(birth);
    int count = theirs + birth->house->observed;
    for (int i = 0; i < count; i++) {
        wanted[i] = result(syscall(SYS_fcntl, descriptor_for(birth, i), F_DUPFD_CLOEXEC, count));
        if (wanted[i] < 0) return wanted[i];
    }
    for (int i = 0; i < count; i++)
        if (syscall(SYS_dup3, wanted[i], i, i < theirs ? 0 : O_CLOEXEC) < 0) return -errno;
#ifdef CORDON_FAULTS
    if (birth->house->leaky) return result(dup(0));
#endif
    return result(syscall(SYS_close_range, count, ~0U, 0));
}

/* A working directory reached through a magic link could lie outside the root. */
static int enter_directory(const char *path)
{
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS};
    int directory = sys_openat2(AT_FDCWD, path, &how);
    if (directory < 0) return directory;
    int error = result(fchdir(directory));
    close(directory);
    if (error < 0) return error;
    char where[PLAN_MAX_PATH];
    if (syscall(SYS_getcwd, where, sizeof where) < 0) return -errno;
    return where[0] == '/' ? 0 : -EXDEV; /* "(unreachable)..." */
}

/* The kernel's own limit on queued signals follows its memory, and is below ours on a small machine: tight enough. */
static struct rlimit no_more_than_now(struct rlimit limit)
{
    struct rlimit now;
    if (syscall(SYS_prlimit64, 0, RLIMIT_SIGPENDING, NULL, &now) < 0) return limit;
    if (now.rlim_max < limit.rlim_max) limit.rlim_max = now.rlim_max;
    if (limit.rlim_max < limit.rlim_cur) limit.rlim_cur = limit.rlim_max;
    return limit;
}

static int apply_rlimits(const struct wire_exec *exec)
{
    for (uint32_t i = 0; i < exec->rlimit_count; i++) {
        const struct wire_rlimit *wanted = &exec->rlimits[i];
        struct rlimit limit = {.rlim_cur = wanted->soft, .rlim_max = wanted->hard};
        if (wanted->resource == RLIMIT_SIGPENDING) limit = no_more_than_now(limit);
        if (syscall(SYS_prlimit64, 0, wanted->resource, &limit, NULL) < 0) return -errno;
    }
    return 0;
}

static int apply_label(const char *label)
{
    if (label[0] == 0) return 0;
    int file = open("/proc/self/attr/exec", O_WRONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    ssize_t written = write(file, label, strlen(label));
    int error = written < 0 ? -errno : 0;
    close(file);
    return error;
}

static void reset_signals(void)
{
    uint64_t none = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
}

/* As execvp, but for the given environment and without handing scripts to a shell. */
static int execute(char *const *argv, char *const *envp)
{
    if (strchr(argv[0], '/') != NULL) {
        execve(argv[0], argv, envp);
        return -errno;
    }
    const char *path = "/usr/local/bin:/usr/bin:/bin";
    for (char *const *entry = envp; *entry != NULL; entry++)
        if (strncmp(*entry, "PATH=", 5) == 0) path = *entry + 5;
    int outcome = -ENOENT;
    while (*path != 0) {
        size_t length = strcspn(path, ":");
        char file[PLAN_MAX_PATH];
        int fits = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, argv[0]) < (int)sizeof file;
        if (length > 0 && fits) {
            execve(file, argv, envp);
            if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) return -errno;
            if (errno == EACCES) outcome = -EACCES;
        }
        path += length + (path[length] == ':');
    }
    return outcome;
}

static int child_main(void *opaque)
{
    const struct birth *birth = opaque;
    const struct command *command = birth->command;
    int error;
    if (setsid() < 0) return refuse(birth, STAGE_STDIO, errno);
    if (birth->tty >= 0 && (error = tty_control(birth->tty)) < 0) return refuse(birth, STAGE_STDIO, -error);
    if ((error = place_descriptors(birth)) < 0) return refuse(birth, STAGE_STDIO, -error);
    if (!birth->house->namespaced && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
        return refuse(birth, STAGE_STDIO, errno);
    umask(022);
    if ((error = enter_directory(command->cwd)) < 0) return refuse(birth, STAGE_CWD, -error);
    if ((error = apply_rlimits(command->exec)) < 0) return refuse(birth, STAGE_RLIMITS, -error);
    if ((error = apply_label(birth->house->label)) < 0) return refuse(birth, STAGE_LABEL, -error);
    reset_signals();
    if (birth->house->job_filter != NULL && (error = filter_stack(birth->house->job_filter)) < 0)
        return refuse(birth, STAGE_JOB_FILTER, -error);
    if (birth->house->observed && (error = observed_become(descriptor_count(birth))) < 0)
        return refuse(birth, STAGE_JOB_FILTER, -error);
    error = execute(command->argv, command->envp);
    return refuse(birth, STAGE_EXEC, -error);
}

static pid_t give_birth(struct birth *birth)
{
    char *top = birth->house->stack + COMMAND_STACK_BYTES;
    /* clone3 is refused by the filter that init is under; this shape of clone is what posix_spawn uses. */
    pid_t pid = clone(child_main, top, CLONE_VM | CLONE_VFORK | SIGCHLD, birth);
    if (pid < 0) *birth->refusal = (struct refusal){STAGE_FORK, errno};
    return pid;
}

pid_t command_start(const struct command *command, const struct house *house, struct refusal *refusal, int *tty)
{
    *refusal = (struct refusal){0};
    *tty = -1;
    SCOPED_FD slave = -1;
    SCOPED_FD master = -1;
    if (command->exec->flags & EXEC_TTY)
        master = tty_open(command->exec->tty_rows, command->exec->tty_columns, &slave);
    if (master < -1) {
        *refusal = (struct refusal){STAGE_STDIO, -master};
        return -1;
    }
    struct birth birth = {.command = command, .house = house, .refusal = refusal, .tty = slave};
    pid_t pid = give_birth(&birth);
    if (pid > 0) *tty = fd_take(&master);
    return pid;
}
