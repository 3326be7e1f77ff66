#include "streams.h"
#include "sys.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ENTRY_MAX (sizeof(struct guest_entry) + sizeof(((struct dirent *)0)->d_name))

/* ---- life and death ---- */

static struct stream *find(struct streams *streams, uint32_t id)
{
    for (uint32_t i = 0; i < streams->count; i++)
        if (streams->all[i].kind != 0 && streams->all[i].id == id) return &streams->all[i];
    return NULL;
}

static int takes_input(const struct stream *stream)
{
    return stream->kind == ATTACH_TO_GUEST || stream->kind == ATTACH_TERMINAL;
}

static int gives_output(const struct stream *stream)
{
    return stream->kind == ATTACH_FROM_GUEST || stream->kind == ATTACH_TERMINAL || stream->kind == ATTACH_LISTING;
}

static void close_source(struct stream *stream)
{
    if (stream->listing != NULL) {
        closedir(stream->listing);
        stream->listing = NULL;
        stream->fd = -1;
    }
    if (stream->fd >= 0) close(fd_take(&stream->fd));
}

static void free_when_over(struct stream *stream)
{
    if (!stream->end_sent || !stream->end_received) return;
    close_source(stream);
    free(stream->buffer);
    *stream = (struct stream){.fd = -1};
}

static void send_end(struct streams *streams, struct stream *stream)
{
    if (stream->end_sent) return;
    struct guest_end end = {.size = sizeof end, .error = stream->error};
    port_send(streams->port, GUEST_END, stream->id, &end, sizeof end, NULL, 0);
    stream->end_sent = 1;
    close_source(stream);
    free_when_over(stream);
}

int streams_add(struct streams *streams, uint32_t id, enum guest_attachment_kind kind, int fd)
{
    uint32_t place = 0;
    while (place < GUEST_MAX_STREAMS && streams->all[place].kind != 0)
        place++;
    struct stream stream = {.id = id, .kind = kind, .fd = fd, .credit = GUEST_WINDOW};
    int error = place == GUEST_MAX_STREAMS || find(streams, id) != NULL ? -EMFILE : 0;
    if (error == 0 && takes_input(&stream)) {
        stream.buffer = malloc(GUEST_WINDOW);
        if (stream.buffer == NULL) error = -ENOMEM;
    }
    if (error == 0 && kind == ATTACH_LISTING) {
        stream.listing = fdopendir(fd);
        if (stream.listing == NULL) error = -errno;
    }
    if (error < 0) {
        free(stream.buffer);
        close(fd);
        return error;
    }
    int flags = fcntl(fd, F_GETFL);
    if (kind != ATTACH_LISTING) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    streams->all[place] = stream;
    if (place >= streams->count) streams->count = place + 1;
    return 0;
}

int streams_give(struct streams *streams, int fd, int terminal, struct guest_attachment *attachment)
{
    struct stat status;
    int flags = fcntl(fd, F_GETFL);
    enum guest_attachment_kind kind = ATTACH_FROM_GUEST;
    if (terminal)
        kind = ATTACH_TERMINAL;
    else if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
        kind = ATTACH_LISTING;
    else if ((flags & O_ACCMODE) == O_WRONLY)
        kind = ATTACH_TO_GUEST;
    *attachment = (struct guest_attachment){.kind = kind, .id = GUEST_STREAM_BIT | streams->next_id++};
    return streams_add(streams, attachment->id, kind, fd);
}

/* ---- from the host ---- */

static int receive_data(struct stream *stream, const struct frame *frame)
{
    size_t length = frame->header.length;
    if (stream->end_received || !takes_input(stream) || length > GUEST_CHUNK) return -EPROTO;
    if (stream->end_sent) return 0; /* nobody reads it any more; the host did not know yet */
    if (length > GUEST_WINDOW - stream->length) return -EPROTO;
    if (stream->start + stream->length + length > GUEST_WINDOW) {
        memmove(stream->buffer, stream->buffer + stream->start, stream->length);
        stream->start = 0;
    }
    memcpy(stream->buffer + stream->start + stream->length, frame->body, length);
    stream->length += length;
    return 0;
}

static void receive_end(struct streams *streams, struct stream *stream)
{
    stream->end_received = 1;
    /* Input goes on until all of it is written; output that nobody wants is given up. */
    if (stream->kind != ATTACH_TO_GUEST || stream->length == 0) send_end(streams, stream);
    free_when_over(stream);
}

int streams_receive(struct streams *streams, const struct frame *frame)
{
    struct stream *stream = find(streams, frame->header.id);
    if (stream == NULL) return -EPROTO;
    struct guest_credit credit;
    struct guest_end end;
    switch ((enum guest_type)frame->header.type) {
    case GUEST_DATA:
        return receive_data(stream, frame);
    case GUEST_CREDIT:
        if (!frame_copy(frame, &credit, sizeof credit) || credit.bytes > GUEST_WINDOW - stream->credit)
            return -EPROTO;
        stream->credit += credit.bytes;
        return 0;
    case GUEST_END:
        if (!frame_copy(frame, &end, sizeof end) || stream->end_received) return -EPROTO;
        receive_end(streams, stream);
        return 0;
    default:
        return -EPROTO;
    }
}

/* ---- to and from descriptors ---- */

static int wants_to_write(const struct stream *stream)
{
    return takes_input(stream) && stream->length > 0 && !stream->end_sent;
}

static int wants_to_read(const struct stream *stream)
{
    uint32_t least = stream->kind == ATTACH_LISTING ? ENTRY_MAX : 1;
    return gives_output(stream) && stream->credit >= least && !stream->end_sent;
}

static void write_some(struct streams *streams, struct stream *stream)
{
    ssize_t written = write(stream->fd, stream->buffer + stream->start, stream->length);
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (written < 0) {
        stream->error = errno;
        stream->length = 0;
        send_end(streams, stream);
        return;
    }
    stream->start += (size_t)written;
    stream->length -= (size_t)written;
    if (stream->length == 0) stream->start = 0;
    if (stream->end_received) {
        if (stream->length == 0) send_end(streams, stream);
        return;
    }
    struct guest_credit credit = {.size = sizeof credit, .bytes = (uint32_t)written};
    port_send(streams->port, GUEST_CREDIT, stream->id, &credit, sizeof credit, NULL, 0);
}

static void read_some(struct streams *streams, struct stream *stream)
{
    unsigned char bytes[GUEST_CHUNK];
    size_t room = stream->credit < sizeof bytes ? stream->credit : sizeof bytes;
    ssize_t got = read(stream->fd, bytes, room);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        if (got < 0 && stream->kind != ATTACH_TERMINAL) stream->error = errno; /* a terminal ends with EIO */
        send_end(streams, stream);
        return;
    }
    stream->credit -= (uint32_t)got;
    port_send(streams->port, GUEST_DATA, stream->id, bytes, (size_t)got, NULL, 0);
}

static void list_some(struct streams *streams, struct stream *stream)
{
    unsigned char bytes[GUEST_CHUNK];
    size_t room = stream->credit < sizeof bytes ? stream->credit : sizeof bytes;
    size_t length = 0;
    struct dirent *entry = NULL;
    while (room - length >= ENTRY_MAX) {
        entry = readdir(stream->listing);
        if (entry == NULL) break;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        struct stat status;
        if (fstatat(stream->fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0) continue; /* gone meanwhile */
        struct guest_entry record = {
            .mode = status.st_mode,
            .name_bytes = (uint32_t)strlen(entry->d_name),
            .bytes = (uint64_t)status.st_size,
            .modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
        };
        memcpy(bytes + length, &record, sizeof record);
        memcpy(bytes + length + sizeof record, entry->d_name, record.name_bytes);
        length += sizeof record + record.name_bytes;
    }
    if (length > 0) {
        stream->credit -= (uint32_t)length;
        port_send(streams->port, GUEST_DATA, stream->id, bytes, length, NULL, 0);
    }
    if (entry == NULL) send_end(streams, stream);
}

nfds_t streams_watch(struct streams *streams, struct pollfd *polls, uint32_t *owners, int *eager)
{
    nfds_t count = 0;
    int room = port_has_room(streams->port);
    *eager = 0;
    for (uint32_t i = 0; i < streams->count; i++) {
        struct stream *stream = &streams->all[i];
        if (stream->kind == 0 || !room) continue;
        if (stream->kind == ATTACH_LISTING) {
            *eager |= wants_to_read(stream);
            continue;
        }
        short events = (short)((wants_to_write(stream) ? POLLOUT : 0) | (wants_to_read(stream) ? POLLIN : 0));
        /* Whether a reader went away is asked of idle inputs, too: the host is to stop reading for it. */
        int idle_input = stream->kind == ATTACH_TO_GUEST && !stream->end_sent;
        if (events == 0 && !idle_input) continue;
        polls[count] = (struct pollfd){.fd = stream->fd, .events = events};
        owners[count++] = i;
    }
    return count;
}

void streams_serve(struct streams *streams, uint32_t index, short events)
{
    struct stream *stream = &streams->all[index];
    if (!port_has_room(streams->port)) return;
    if (wants_to_write(stream) && events & (POLLOUT | POLLERR | POLLHUP)) write_some(streams, stream);
    if (wants_to_read(stream) && events & (POLLIN | POLLERR | POLLHUP)) {
        read_some(streams, stream);
    } else if (stream->kind == ATTACH_TO_GUEST && !stream->end_sent && events & (POLLERR | POLLHUP)) {
        stream->error = EPIPE;
        stream->length = 0;
        send_end(streams, stream);
    }
}

void streams_serve_listings(struct streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        struct stream *stream = &streams->all[i];
        if (stream->kind == ATTACH_LISTING && wants_to_read(stream) && port_has_room(streams->port))
            list_some(streams, stream);
    }
}
