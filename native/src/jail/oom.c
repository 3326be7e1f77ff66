/*
 * oom.c - jobs are what the kernel ends first when the host itself is out of memory. With CAP_SYS_RESOURCE on the
 * host a written score is also the least that the process can choose later (oom_score_adj_min); without it a job can
 * go back to the score that the caller had.
 */
#include "oom.h"
#include "sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCORE 500

int oom_offer(struct jail *jail, pid_t init)
{
    char text[32] = "";
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", init);
    jail->detail = "oom_score_adj";
    SCOPED_FD file = result(open(path, O_RDWR | O_CLOEXEC));
    if (file < 0) return file;
    ssize_t length = read(file, text, sizeof text - 1);
    if (length <= 0) return length < 0 ? -errno : -EIO;
    long inherited = strtol(text, NULL, 10);
    snprintf(text, sizeof text, "%ld", inherited > SCORE ? inherited : SCORE);
    ssize_t written = pwrite(file, text, strlen(text), 0);
    if (written < 0) return -errno;
    return (size_t)written == strlen(text) ? 0 : -EIO;
}
