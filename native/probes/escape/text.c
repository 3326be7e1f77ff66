/* text.c - small files, numbers, names. */
#include "probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t read_text(const char *path, char *text, size_t room)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return -1;
    size_t length = 0;
    ssize_t got = 0;
    while (length < room - 1 && (got = read(file, text + length, room - 1 - length)) > 0)
        length += (size_t)got;
    int error = errno;
    close(file);
    text[length] = 0;
    errno = error;
    return got < 0 && length == 0 ? -1 : (ssize_t)length;
}

int write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t written = write(file, text, strlen(text));
    int error = errno;
    close(file);
    errno = error;
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

/* The value behind "Field:" in a status file; -1 when there is none. */
int status_field(const char *path, const char *field, char *value, size_t room)
{
    char text[8192];
    if (read_text(path, text, sizeof text) < 0) return -1;
    size_t length = strlen(field);
    for (char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, field, length) != 0 || line[length] != ':') continue;
        const char *from = line + length + 1 + strspn(line + length + 1, " \t");
        snprintf(value, room, "%.*s", (int)strcspn(from, "\n"), from);
        return 0;
    }
    errno = ENOENT;
    return -1;
}

const char *argument(const struct trial *trial, int index, const char *otherwise)
{
    return index < trial->argc ? trial->argv[index] : otherwise;
}

long argument_number(const struct trial *trial, int index, long otherwise)
{
    return index < trial->argc ? strtol(trial->argv[index], NULL, 10) : otherwise;
}

void walk(const char *path, int depth, visitor *visit, void *context)
{
    DIR *directory = opendir(path);
    if (directory == NULL) return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char below[4096];
        if (snprintf(below, sizeof below, "%s/%s", strcmp(path, "/") == 0 ? "" : path, entry->d_name) >=
            (int)sizeof below)
            continue;
        int stop = visit(context, below, entry->d_name, entry->d_type);
        if (!stop && depth > 0 && entry->d_type == DT_DIR) walk(below, depth - 1, visit, context);
    }
    closedir(directory);
}
