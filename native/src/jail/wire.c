#include "wire.h"
#include "sys.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

union ancillary {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(WIRE_MAX_FDS * sizeof(int))];
};

int wire_send(int socket, unsigned type, uint32_t id, const void *body, size_t length, const int *fds,
              unsigned fd_count, int flags)
{
    if (length > WIRE_MAX_BYTES || fd_count > WIRE_MAX_FDS) return -EMSGSIZE;
    struct wire_header header = {
        .version = WIRE_VERSION,
        .type = (uint16_t)type,
        .length = (uint32_t)length,
        .id = id,
        .fd_count = fd_count,
    };
    struct iovec parts[2] = {{&header, sizeof header}, {(void *)body, length}};
    struct msghdr packet = {.msg_iov = parts, .msg_iovlen = length > 0 ? 2 : 1};
    union ancillary ancillary;
    if (fd_count > 0) {
        memset(&ancillary, 0, sizeof ancillary);
        packet.msg_control = &ancillary;
        packet.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
        struct cmsghdr *rights = CMSG_FIRSTHDR(&packet);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
        memcpy(CMSG_DATA(rights), fds, fd_count * sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &packet, MSG_NOSIGNAL | flags);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

static void take_rights(struct msghdr *packet, struct wire_message *message)
{
    message->fd_count = 0;
    for (struct cmsghdr *rights = CMSG_FIRSTHDR(packet); rights != NULL; rights = CMSG_NXTHDR(packet, rights)) {
        if (rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(rights) + i * sizeof(int), sizeof fd);
            if (message->fd_count < WIRE_MAX_FDS)
                message->fds[message->fd_count++] = fd;
            else
                close(fd);
        }
    }
}

int wire_receive(int socket, struct wire_message *message, int flags)
{
    struct iovec parts[2] = {{&message->header, sizeof message->header}, {message->body, sizeof message->body}};
    union ancillary ancillary;
    struct msghdr packet = {
        .msg_iov = parts,
        .msg_iovlen = 2,
        .msg_control = &ancillary,
        .msg_controllen = sizeof ancillary,
    };
    ssize_t received;
    /* A peer that died with our messages unread gives ECONNRESET once, before the last words that it sent. */
    do {
        received = recvmsg(socket, &packet, MSG_CMSG_CLOEXEC | flags);
    } while (received < 0 && (errno == EINTR || errno == ECONNRESET));
    message->fd_count = 0;
    if (received < 0) return -errno;
    if (received == 0) return 0;
    take_rights(&packet, message);
    const struct wire_header *header = &message->header;
    size_t length = (size_t)received;
    int whole = !(packet.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) && length >= sizeof *header &&
                header->version == WIRE_VERSION && header->length == length - sizeof *header &&
                header->fd_count == message->fd_count;
    if (whole) return 1;
    wire_close_fds(message);
    return -EPROTO;
}

void wire_close_fds(struct wire_message *message)
{
    for (unsigned i = 0; i < message->fd_count; i++)
        if (message->fds[i] >= 0) close(message->fds[i]);
    message->fd_count = 0;
}

int wire_take_fd(struct wire_message *message, unsigned index)
{
    if (index >= message->fd_count) return -1;
    return fd_take(&message->fds[index]);
}

const void *wire_body(const struct wire_message *message, size_t size)
{
    uint32_t stated;
    if (message->header.length < size || size < sizeof stated) return NULL;
    memcpy(&stated, message->body, sizeof stated);
    return stated == size ? message->body : NULL;
}
