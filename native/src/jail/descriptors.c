/* descriptors.c - which processes of the sandbox have all the descriptors that they may. */
#include "descriptors.h"
#include "sys.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Without the directory's own two entries. */
static uint64_t count_entries(int directory)
{
    DIR *entries = fdopendir(directory);
    if (entries == NULL) {
        close(directory);
        return 0;
    }
    uint64_t count = 0;
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries))
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

/* Since Linux 6.2 the size of /proc/PID/fd is the number of its entries; before it is 0, and they are counted. */
static uint64_t count(int process)
{
    struct stat status;
    if (fstatat(process, "fd", &status, 0) < 0) return 0;
    if (status.st_size > 0) return (uint64_t)status.st_size;
    int directory = openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return directory < 0 ? 0 : count_entries(directory);
}

/* "Max open files  SOFT  HARD  files" of /proc/PID/limits; UINT64_MAX where it cannot be read. */
static uint64_t limit_of(int process)
{
    char text[4096];
    SCOPED_FD file = openat(process, "limits", O_RDONLY | O_CLOEXEC);
    if (file < 0) return UINT64_MAX;
    ssize_t got = read(file, text, sizeof text - 1);
    if (got <= 0) return UINT64_MAX;
    text[got] = 0;
    static const char name[] = "Max open files";
    const char *line = strstr(text, name);
    if (line == NULL) return UINT64_MAX;
    uint64_t limit = strtoull(line + sizeof name - 1, NULL, 10);
    return limit == 0 ? UINT64_MAX : limit;
}

void descriptors_look(uint64_t least, void (*full)(void *context, uint64_t limit), void *context)
{
    DIR *proc = opendir("/proc");
    if (proc == NULL) return;
    for (struct dirent *entry = readdir(proc); entry != NULL; entry = readdir(proc)) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || strcmp(entry->d_name, "1") == 0) continue;
        SCOPED_FD process = openat(dirfd(proc), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        uint64_t has = process < 0 ? 0 : count(process);
        if (has < least) continue;
        uint64_t limit = limit_of(process);
        if (has >= limit) full(context, limit);
    }
    closedir(proc);
}
