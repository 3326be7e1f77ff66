/*
 * probe.h - what every escape probe is made of.
 *
 * A probe makes the attempts of one id of the threat list and tells each in one line of JSON. It runs in three
 * places: outside a sandbox as the control (`--control`), where every attempt has to come through or be refused for a
 * listed reason; inside a sandbox, where every attempt has to be refused; and wherever somebody wants to compare.
 * Nothing it does outside lasts or reaches a process, a mount or an address that it did not make itself.
 */
#ifndef PROBE_H
#define PROBE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof *(array))

enum { EXIT_DENIED = 0, EXIT_ESCAPED = 10, EXIT_UNTRIED = 20, EXIT_USAGE = 2 };

struct tally; /* shared with the probe's children */

struct trial {
    const char *id;
    int control; /* outside: a refusal needs a listed reason */
    int root;    /* started as root */
    int argc;    /* what the harness gave */
    char **argv;
    struct tally *tally;
};

struct probe {
    const char *id;
    const char *title;
    void (*run)(struct trial *trial);
};

/* One table for each file, ended by an id of NULL. */
extern const struct probe A_HANDLES[], A_IDENTITY[], A_SECRETS[];
extern const struct probe B_FILTER[], B_CALLS[], B_SURFACE[], B_PROFILE[], B_NETLINK[], B_TRACE[];
extern const struct probe C_TREES[], C_ROOT[], C_SPACE[];
extern const struct probe D_PROCESSES[], D_SOCKETS[], E_BETWEEN[], E_HOST[], F_NETWORK[];

/* ---- report.c: one line for each attempt ---- */

struct tally *tally_make(void);
int tally_exit(const struct tally *tally);
const char *errno_name(int error);

void tell_escaped(struct trial *trial, const char *attempt, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void tell_denied(struct trial *trial, const char *attempt, int error);
void tell_denied_as(struct trial *trial, const char *attempt, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void tell_untried(struct trial *trial, const char *attempt, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Escaped when the call succeeded; refused with its errno when it did not. */
void tell_call(struct trial *trial, const char *attempt, long value);

/* For calls with an argument that the kernel can't like: EPERM and ENOSYS are the filter's words (or the capability
 * check's), any other errno is that of the code which must not be reached. */
void tell_answer(struct trial *trial, const char *attempt, long value);

/* ---- child.c: processes of the probe's own ---- */

/* Runs `attempt` in a child, which may die: of SIGSYS it is a refusal. */
void try_in_child(struct trial *trial, const char *attempt, void (*body)(struct trial *, const void *),
                  const void *data);

/* A process that only waits; it dies with the probe. */
pid_t stand_in(void);
void stand_down(pid_t pid);

/* 0 when the program was executed, else the errno. */
int try_exec(const char *path, char *const *argv);

/* New namespaces owned by a new user namespace in which the caller is uid 0; 0 or -errno. */
int own_namespaces(int flags);

/* ---- text.c: small files, numbers, names ---- */

ssize_t read_text(const char *path, char *text, size_t room);
int write_text(const char *path, const char *text);
int status_field(const char *path, const char *field, char *value, size_t room);
long argument_number(const struct trial *trial, int index, long otherwise);
const char *argument(const struct trial *trial, int index, const char *otherwise);

/* Visits everything below `path`, links not followed; the visitor returns 0 to go on, 1 not to go below. */
typedef int visitor(void *context, const char *path, const char *name, unsigned char type);
void walk(const char *path, int depth, visitor *visit, void *context);

/* ---- roles.c: what a harness needs beside a probe ---- */

int role_run(int argc, char **argv);

#endif
