#include "copies.h"
#include "files.h"
#include "sys.h"

#include <fcntl.h>

static size_t free_place(const struct copies *copies)
{
    size_t place = 0;
    while (place < ARRAY_LENGTH(copies->all) && copies->all[place].pipe != 0)
        place++;
    return place;
}

int copies_full(const struct copies *copies)
{
    return free_place(copies) == ARRAY_LENGTH(copies->all);
}

int copies_begin(struct copies *copies, uint32_t id, int file)
{
    SCOPED_FD target = file;
    if (copies_full(copies)) return -EMFILE;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -errno;
    copies->all[free_place(copies)] = (struct copy){.id = id, .pipe = ends[0], .file = fd_take(&target)};
    return ends[1];
}

nfds_t copies_watch(const struct copies *copies, struct pollfd *watched)
{
    nfds_t count = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(copies->all); i++)
        if (copies->all[i].pipe != 0) watched[count++] = (struct pollfd){.fd = copies->all[i].pipe, .events = POLLIN};
    return count;
}

/* The pipe is shut before it is told: whoever still writes finds it broken, and asks why. */
static void end(struct copy *copy, int error, int control)
{
    struct wire_written written = {.size = sizeof written, .error = -error, .bytes = copy->bytes};
    uint32_t id = copy->id;
    close(copy->pipe);
    close(copy->file);
    *copy = (struct copy){0};
    wire_send(control, WIRE_WRITTEN, id, &written, sizeof written, NULL, 0, 0);
}

static void move(struct copies *copies, struct copy *copy, int control)
{
    ssize_t got = read(copy->pipe, copies->piece, sizeof copies->piece);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    int error = got < 0 ? -errno : files_write(copy->file, copies->piece, (size_t)got);
    if (error == 0) copy->bytes += (uint64_t)got;
    if (error < 0 || got == 0) end(copy, error, control);
}

void copies_serve(struct copies *copies, const struct pollfd *watched, int control)
{
    nfds_t next = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(copies->all); i++) {
        struct copy *copy = &copies->all[i];
        if (copy->pipe != 0 && watched[next++].revents != 0) move(copies, copy, control);
    }
}
