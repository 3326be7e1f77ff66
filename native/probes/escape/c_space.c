/* c_space.c - more space than the limits allow: C-10, C-11. */
#include "probe.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 65536

/* ---- C-10: more than the limit, in bytes and in files ---- */

static long fill(const char *directory, long bytes, int deleted)
{
    static char block[BLOCK];
    char path[4096];
    snprintf(path, sizeof path, "%s/fill-%d", directory, deleted);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    if (deleted) unlink(path);
    long written = 0;
    memset(block, 'f', sizeof block);
    while (written < bytes) {
        ssize_t got = write(file, block, sizeof block);
        if (got <= 0) break;
        written += got;
    }
    int error = errno;
    close(file);
    unlink(path);
    errno = error;
    return written;
}

static long reserve(const char *directory, long bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/reserve", directory);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    int done = fallocate(file, 0, 0, bytes);
    int error = errno;
    close(file);
    unlink(path);
    errno = error;
    return done == 0 ? bytes : 0;
}

static long create(const char *directory, long files)
{
    char path[4096];
    long made = 0;
    int error = 0;
    for (; made < files; made++) {
        snprintf(path, sizeof path, "%s/file-%ld", directory, made);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0) {
            error = errno;
            break;
        }
        close(file);
    }
    for (long i = 0; i < made; i++) {
        snprintf(path, sizeof path, "%s/file-%ld", directory, i);
        unlink(path);
    }
    errno = error;
    return made;
}

static void compare(struct trial *trial, const char *attempt, const char *directory, long got, long limit)
{
    if (got > limit + limit / 100)
        tell_escaped(trial, attempt, "%ld in %s, where the limit is %ld", got, directory, limit);
    else
        tell_denied(trial, attempt, errno);
}

/* Arguments: the limit in bytes, the limit in files, then the directories. */
static void fill_disk(struct trial *trial)
{
    long bytes = argument_number(trial, 0, 1 << 20), files = argument_number(trial, 1, 64);
    for (int i = 2; i < trial->argc; i++) {
        const char *directory = trial->argv[i];
        compare(trial, "bytes", directory, fill(directory, 2 * bytes, 0), bytes);
        compare(trial, "bytes of a deleted file", directory, fill(directory, 2 * bytes, 1), bytes);
        compare(trial, "reserved bytes", directory, reserve(directory, 2 * bytes), bytes);
        compare(trial, "files", directory, create(directory, 2 * files), files);
    }
}

/* ---- C-11: memory by way of a tmpfs ---- */

/* Arguments: bytes, a directory. The job has less memory than that: to come to the end is to escape. */
static void fill_memory(struct trial *trial)
{
    long bytes = argument_number(trial, 0, 1 << 20);
    long written = fill(argument(trial, 1, "/tmp"), bytes, 0);
    if (written >= bytes)
        tell_escaped(trial, "memory through a tmpfs", "%ld bytes", written);
    else
        tell_untried(trial, "memory through a tmpfs", "the disk limit came first: %s", errno_name(errno));
}

const struct probe C_SPACE[] = {
    {"C-10", "more disk than the limit", fill_disk},
    {"C-11", "memory through a tmpfs", fill_memory},
    {NULL, NULL, NULL},
};
