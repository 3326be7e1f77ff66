#include "sandbox.h"
#include "ground.h"
#include "sys.h"

#include <linux/close_range.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define CONTROL_FD 3
#define SEALS      (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

/* ---- content ---- */

static struct content *find_content(struct sandbox *sandbox, uint32_t id)
{
    struct content *free_place = NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(sandbox->contents); i++) {
        struct content *content = &sandbox->contents[i];
        if (content->fd > 0 && content->id == id) return content;
        if (content->fd == 0 && free_place == NULL) free_place = content;
    }
    return free_place;
}

int sandbox_content(struct sandbox *sandbox, const struct frame *frame)
{
    struct guest_content piece;
    if (!frame_copy(frame, &piece, sizeof piece)) return -EPROTO;
    size_t length = frame->header.length - sizeof piece;
    struct content *content = find_content(sandbox, frame->header.id);
    if (content == NULL || piece.total > GUEST_MAX_CONTENT || length > GUEST_CHUNK) return -EPROTO;
    if (content->fd == 0) {
        int fd = result(memfd_create("cordon", MFD_CLOEXEC | MFD_ALLOW_SEALING));
        if (fd < 0) return fd;
        *content = (struct content){.id = frame->header.id, .total = piece.total, .fd = fd};
    }
    if (piece.total != content->total || length > content->total - content->length) return -EPROTO;
    ssize_t written = write(content->fd, frame->body + sizeof piece, length);
    if (written < 0) return -errno;
    if ((size_t)written != length) return -EIO;
    content->length += (uint32_t)length;
    if (content->length < content->total) return 0;
    return result(fcntl(content->fd, F_ADD_SEALS, SEALS));
}

static int take_content(struct sandbox *sandbox, uint32_t id)
{
    struct content *content = find_content(sandbox, id);
    if (content == NULL || content->fd == 0 || content->length != content->total) return -EPROTO;
    int fd = content->fd;
    *content = (struct content){0};
    return fd;
}

/* ---- the supervisor's start ---- */

static _Noreturn void become_supervisor(const struct sandbox *sandbox, int socket)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int program = fcntl(sandbox->program, F_DUPFD_CLOEXEC, 10);
    int control = fcntl(socket, F_DUPFD_CLOEXEC, 10);
    if (null < 0 || program < 0 || control < 0) _exit(120);
    for (int fd = 0; fd < 3; fd++)
        if (dup2(null, fd) < 0) _exit(120);
    if (dup2(control, CONTROL_FD) < 0) _exit(120);
    if (syscall(SYS_close_range, CONTROL_FD + 1, ~0U, CLOSE_RANGE_CLOEXEC) < 0) _exit(120);
    char *argv[] = {"cordon-supervisor", NULL};
    char *envp[] = {NULL};
    syscall(SYS_execveat, program, "", argv, envp, AT_EMPTY_PATH);
    _exit(121);
}

static int start_supervisor(struct sandbox *sandbox)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
    pid_t pid = fork();
    if (pid == 0) become_supervisor(sandbox, pair[1]);
    int error = pid < 0 ? -errno : 0;
    close(pair[1]);
    if (error < 0) {
        close(pair[0]);
        return error;
    }
    sandbox->pid = pid;
    sandbox->socket = pair[0];
    return 0;
}

/* The host names its own roles; the cgroup's descriptors are the guest's to add. */
static int add_ground(struct wire_message *request)
{
    if (request->header.length != sizeof(struct wire_open)) return -EPROTO;
    struct wire_open open;
    memcpy(&open, request->body, sizeof open);
    if (open.role_count != request->fd_count || open.role_count > WIRE_MAX_FDS - GROUND_HANDLES) return -EPROTO;
    struct ground_handle handles[GROUND_HANDLES];
    int error = ground_open(handles);
    if (error < 0) return error;
    for (int i = 0; i < GROUND_HANDLES; i++) {
        open.roles[open.role_count++] = (uint8_t)handles[i].role;
        request->fds[request->fd_count++] = handles[i].fd;
    }
    memcpy(request->body, &open, sizeof open);
    return 0;
}

/* ---- from the host ---- */

static int attach(struct sandbox *sandbox, struct streams *streams, const struct guest_attachment *attachment)
{
    if (attachment->kind == ATTACH_CONTENT) return take_content(sandbox, attachment->id);
    if (attachment->kind > ATTACH_FROM_GUEST || attachment->id & GUEST_STREAM_BIT) return -EPROTO;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    int input = attachment->kind == ATTACH_TO_GUEST;
    int theirs = ends[input ? 0 : 1];
    int error = streams_add(streams, attachment->id, attachment->kind, ends[input ? 1 : 0]);
    if (error < 0) close(theirs);
    return error < 0 ? error : theirs;
}

static int attach_all(struct sandbox *sandbox, struct streams *streams, const struct guest_message *message)
{
    struct wire_message *request = &sandbox->request;
    request->fd_count = 0;
    for (uint32_t i = 0; i < message->attachment_count; i++) {
        int fd = attach(sandbox, streams, &message->attachments[i]);
        if (fd < 0) return fd;
        request->fds[request->fd_count++] = fd;
    }
    return 0;
}

int sandbox_message(struct sandbox *sandbox, struct streams *streams, const struct frame *frame)
{
    struct guest_message message;
    const unsigned char *body;
    size_t length;
    if (!sandbox->grounded || !frame_message(frame, &message, &body, &length)) return -EPROTO;
    struct wire_message *request = &sandbox->request;
    request->header = (struct wire_header){
        .version = WIRE_VERSION, .type = (uint16_t)message.type, .length = (uint32_t)length, .id = message.id};
    memcpy(request->body, body, length);
    int error = attach_all(sandbox, streams, &message);
    if (error >= 0 && message.type == WIRE_OPEN) {
        error = sandbox->pid != 0 || sandbox->socket >= 0 ? -EPROTO : add_ground(request);
        if (error >= 0) error = start_supervisor(sandbox);
    }
    if (error < 0) {
        wire_close_fds(request);
        return error;
    }
    sandbox->parked = 1;
    sandbox_flush(sandbox);
    return 0;
}

/* A supervisor that is gone takes no messages; its end is told by its exit. */
void sandbox_flush(struct sandbox *sandbox)
{
    struct wire_message *request = &sandbox->request;
    int error = sandbox->socket < 0
                    ? -EPIPE
                    : wire_send(sandbox->socket, request->header.type, request->header.id, request->body,
                                request->header.length, request->fds, request->fd_count, MSG_DONTWAIT);
    if (error == -EAGAIN) return;
    sandbox->parked = 0;
    wire_close_fds(request);
}

/* ---- to the host ---- */

/* The end of a command is judged by the counters as they are at that moment; asking for them would come too late. */
static void send_counters(struct port *port)
{
    struct guest_usage usage;
    ground_usage(&usage);
    port_send(port, GUEST_COUNTED, 0, &usage, sizeof usage, NULL, 0);
}

/* Kept, because a jail that stands in a template is told of once for each machine. */
static void keep_ready(struct sandbox *sandbox)
{
    const struct wire_ready *ready = wire_body(&sandbox->reply, sizeof *ready);
    if (ready == NULL) return;
    sandbox->ready = *ready;
    sandbox->stands = 1;
}

void sandbox_tell_ready(const struct sandbox *sandbox, struct port *port)
{
    struct guest_message message = {.size = sizeof message, .type = WIRE_READY};
    if (sandbox->stands)
        port_send(port, GUEST_MESSAGE, 0, &message, sizeof message, &sandbox->ready, sizeof sandbox->ready);
}

void sandbox_relay(struct sandbox *sandbox, struct streams *streams)
{
    struct wire_message *reply = &sandbox->reply;
    int received = wire_receive(sandbox->socket, reply, MSG_DONTWAIT);
    if (received == -EAGAIN) return;
    if (received <= 0) {
        close(fd_take(&sandbox->socket));
        return;
    }
    struct guest_message message = {.size = sizeof message, .type = reply->header.type, .id = reply->header.id};
    for (unsigned i = 0; i < reply->fd_count; i++) {
        struct guest_attachment *attachment = &message.attachments[message.attachment_count];
        int fd = fd_take(&reply->fds[i]);
        if (streams_give(streams, fd, reply->header.type == WIRE_STARTED, attachment) == 0)
            message.attachment_count++;
    }
    reply->fd_count = 0;
    if (reply->header.type == WIRE_READY) keep_ready(sandbox);
    if (reply->header.type == WIRE_EXITED) send_counters(streams->port);
    port_send(streams->port, GUEST_MESSAGE, 0, &message, sizeof message, reply->body, reply->header.length);
}
