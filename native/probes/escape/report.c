/* report.c - one line of JSON for each attempt, and the tally that becomes the exit code. */
#include "probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct tally {
    int denied, escaped, untried;
};

static const struct {
    int error;
    const char *name;
} ERRORS[] = {
    {EPERM, "EPERM"},
    {ENOENT, "ENOENT"},
    {ESRCH, "ESRCH"},
    {EINTR, "EINTR"},
    {EIO, "EIO"},
    {ENXIO, "ENXIO"},
    {E2BIG, "E2BIG"},
    {ENOEXEC, "ENOEXEC"},
    {EBADF, "EBADF"},
    {ECHILD, "ECHILD"},
    {EAGAIN, "EAGAIN"},
    {ENOMEM, "ENOMEM"},
    {EACCES, "EACCES"},
    {EFAULT, "EFAULT"},
    {EBUSY, "EBUSY"},
    {EEXIST, "EEXIST"},
    {EXDEV, "EXDEV"},
    {ENODEV, "ENODEV"},
    {ENOTDIR, "ENOTDIR"},
    {EINVAL, "EINVAL"},
    {ENFILE, "ENFILE"},
    {EMFILE, "EMFILE"},
    {ENOTTY, "ENOTTY"},
    {ETXTBSY, "ETXTBSY"},
    {EFBIG, "EFBIG"},
    {ENOSPC, "ENOSPC"},
    {EROFS, "EROFS"},
    {EDQUOT, "EDQUOT"},
    {ELOOP, "ELOOP"},
    {ENOSYS, "ENOSYS"},
    {EOPNOTSUPP, "EOPNOTSUPP"},
    {EAFNOSUPPORT, "EAFNOSUPPORT"},
    {EPROTONOSUPPORT, "EPROTONOSUPPORT"},
    {ESOCKTNOSUPPORT, "ESOCKTNOSUPPORT"},
    {EADDRNOTAVAIL, "EADDRNOTAVAIL"},
    {ENETUNREACH, "ENETUNREACH"},
    {EHOSTUNREACH, "EHOSTUNREACH"},
    {ECONNREFUSED, "ECONNREFUSED"},
    {ETIMEDOUT, "ETIMEDOUT"},
    {EUSERS, "EUSERS"},
    {ENOKEY, "ENOKEY"},
};

struct tally *tally_make(void)
{
    struct tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED) exit(EXIT_UNTRIED);
    return tally;
}

int tally_exit(const struct tally *tally)
{
    if (tally->escaped > 0) return EXIT_ESCAPED;
    return tally->denied > 0 ? EXIT_DENIED : EXIT_UNTRIED;
}

const char *errno_name(int error)
{
    static char number[16];
    for (size_t i = 0; i < ARRAY_LENGTH(ERRORS); i++)
        if (ERRORS[i].error == error) return ERRORS[i].name;
    snprintf(number, sizeof number, "%d", error);
    return number;
}

/* Text may name files that a job made up: what JSON minds becomes a question mark. */
static void put_text(FILE *line, const char *text)
{
    for (; *text != 0; text++)
        fputc(*text < ' ' || *text > '~' || *text == '"' || *text == '\\' ? '?' : *text, line);
}

static void put_line(const struct trial *trial, const char *attempt, int error, const char *verdict, const char *text)
{
    static char buffer[2048];
    FILE *line = fmemopen(buffer, sizeof buffer, "w");
    if (line == NULL) return;
    fprintf(line, "{\"id\":\"%s\",\"attempt\":\"", trial->id);
    put_text(line, attempt);
    fprintf(line, error == 0 ? "\",\"errno\":null" : "\",\"errno\":\"%s\"", errno_name(error));
    fprintf(line, ",\"effect\":\"%s", verdict);
    if (text[0] != 0) fputs(": ", line);
    put_text(line, text);
    fputs("\"}\n", line);
    long length = ftell(line);
    fclose(line);
    /* In one write, so that lines of several processes do not mix. */
    if (length > 0 && write(1, buffer, (size_t)length) != length) _exit(EXIT_UNTRIED);
}

void tell_escaped(struct trial *trial, const char *attempt, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    __atomic_add_fetch(&trial->tally->escaped, 1, __ATOMIC_RELAXED);
    put_line(trial, attempt, 0, "escaped", text);
}

static void untried(struct trial *trial, const char *attempt, int error, const char *reason)
{
    __atomic_add_fetch(&trial->tally->untried, 1, __ATOMIC_RELAXED);
    put_line(trial, attempt, error, "untried", reason);
}

void tell_untried(struct trial *trial, const char *attempt, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    untried(trial, attempt, 0, text);
}

/* Why an attempt may be refused outside all the same. */
static const char *listed_reason(const struct trial *trial, int error)
{
    switch (error) {
    case ENOSYS:
    case EOPNOTSUPP:
    case EAFNOSUPPORT:
    case EPROTONOSUPPORT:
    case ESOCKTNOSUPPORT:
    case ENODEV:
        return "this kernel does not have it";
    case EPERM:
    case EACCES:
        return trial->root ? NULL : "needs root on this host";
    default:
        return NULL;
    }
}

void tell_denied(struct trial *trial, const char *attempt, int error)
{
    const char *reason = trial->control ? listed_reason(trial, error) : NULL;
    if (reason != NULL) {
        untried(trial, attempt, error, reason);
        return;
    }
    __atomic_add_fetch(&trial->tally->denied, 1, __ATOMIC_RELAXED);
    put_line(trial, attempt, error, "denied", "");
}

void tell_denied_as(struct trial *trial, const char *attempt, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    __atomic_add_fetch(&trial->tally->denied, 1, __ATOMIC_RELAXED);
    put_line(trial, attempt, 0, "denied", text);
}

void tell_call(struct trial *trial, const char *attempt, long value)
{
    if (value < 0)
        tell_denied(trial, attempt, errno);
    else
        tell_escaped(trial, attempt, "the call succeeded");
}

void tell_answer(struct trial *trial, const char *attempt, long value)
{
    if (value < 0 && (errno == EPERM || errno == ENOSYS))
        tell_denied(trial, attempt, errno);
    else
        tell_escaped(trial, attempt, "the kernel answered %s", value < 0 ? errno_name(errno) : "with success");
}
