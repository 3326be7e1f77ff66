/* c_space.c - more space than the limits allow: C-10, C-11. */
#include "probe.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 65536

/* ---- C-10: more than the limit, in bytes and in files ---- */

#define PIECES 8 /* of a quarter of the limit each: twice the limit, and no single file is too large */

static long fill_piece(const char *directory, int piece, long bytes, int deleted)
{
    static char block[BLOCK];
    char path[4096];
    snprintf(path, sizeof path, "%s/fill-%d", directory, piece);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    if (deleted) unlink(path); /* it stays open, and counts all the same */
    long written = 0;
    memset(block, 'f', sizeof block);
    while (written < bytes) {
        ssize_t got = write(file, block, sizeof block);
        if (got <= 0) break;
        written += got;
    }
    if (!deleted) close(file);
    return written;
}

static long fill(const char *directory, long limit, int deleted)
{
    char path[4096];
    long total = 0;
    int error = 0;
    for (int piece = 0; piece < PIECES && error == 0; piece++) {
        long written = fill_piece(directory, piece, limit / 4, deleted);
        if (written < limit / 4) error = errno;
        if (written > 0) total += written;
    }
    for (int piece = 0; piece < PIECES; piece++) {
        snprintf(path, sizeof path, "%s/fill-%d", directory, piece);
        unlink(path);
    }
    errno = error;
    return total;
}

/* Without writing: a quarter of the limit at a time. */
static long reserve(const char *directory, long limit)
{
    char path[4096];
    long total = 0;
    int error = 0;
    for (int piece = 0; piece < PIECES && error == 0; piece++) {
        snprintf(path, sizeof path, "%s/reserve-%d", directory, piece);
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0 || fallocate(file, 0, 0, limit / 4) < 0) error = errno;
        if (error == 0) total += limit / 4;
        if (file >= 0) close(file);
    }
    for (int piece = 0; piece < PIECES; piece++) {
        snprintf(path, sizeof path, "%s/reserve-%d", directory, piece);
        unlink(path);
    }
    errno = error;
    return total;
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
    signal(SIGXFSZ, SIG_IGN);
    long bytes = argument_number(trial, 0, 1 << 20), files = argument_number(trial, 1, 64);
    for (int i = 2; i < trial->argc; i++) {
        const char *directory = trial->argv[i];
        compare(trial, "bytes", directory, fill(directory, bytes, 0), bytes);
        compare(trial, "reserved bytes", directory, reserve(directory, bytes), bytes);
        compare(trial, "files", directory, create(directory, 2 * files), files);
        compare(trial, "bytes of deleted files", directory, fill(directory, bytes, 1), bytes);
    }
}

/* ---- C-11: memory by way of a tmpfs ---- */

/* Arguments: bytes, a directory. The job has less memory than that: to come to the end is to escape. */
static void fill_memory(struct trial *trial)
{
    long bytes = argument_number(trial, 0, 1 << 20);
    long written = fill(argument(trial, 1, "/tmp"), bytes / 2, 0);
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
