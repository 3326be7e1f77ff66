/* channel.c - messages with descriptors between the JVM and a supervisor. */
#include "cordon.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FDS 64

union ancillary {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MAX_FDS * sizeof(int))];
};

static int32_t make_pair(int type, int32_t *pair)
{
    int ends[2];
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0) {
        int error = errno;
        close(ends[0]);
        close(ends[1]);
        return -error;
    }
    pair[0] = ends[0];
    pair[1] = ends[1];
    return 0;
}

int32_t cordon_channel(int32_t *pair)
{
    return make_pair(SOCK_SEQPACKET, pair);
}

int32_t cordon_stream(int32_t *pair)
{
    return make_pair(SOCK_STREAM, pair);
}

int64_t cordon_send(int32_t fd, const void *bytes, uint32_t length, const int32_t *fds, uint32_t fd_count)
{
    if (fd_count > MAX_FDS) return -EINVAL;
    union ancillary ancillary;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd_count > 0) {
        memset(&ancillary, 0, sizeof ancillary);
        message.msg_control = &ancillary;
        message.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
        memcpy(CMSG_DATA(header), fds, fd_count * sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

/* Copies the received descriptors out; those that find no room are closed. Returns whether all fitted. */
static int take_fds(struct msghdr *message, int32_t *fds, uint32_t *fd_count)
{
    uint32_t room = *fd_count;
    uint32_t taken = 0;
    int fitted = 1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int received;
            memcpy(&received, CMSG_DATA(header) + i * sizeof(int), sizeof received);
            if (taken < room) {
                fds[taken++] = received;
            } else {
                close(received);
                fitted = 0;
            }
        }
    }
    *fd_count = taken;
    return fitted;
}

int64_t cordon_receive(int32_t fd, void *bytes, uint32_t capacity, int32_t *fds, uint32_t *fd_count)
{
    union ancillary ancillary;
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = &ancillary,
        .msg_controllen = sizeof ancillary,
    };
    ssize_t received;
    /* A peer that died with our messages unread gives ECONNRESET once, before the last words that it sent. */
    do {
        received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (received < 0 && (errno == EINTR || errno == ECONNRESET));
    if (received < 0) {
        *fd_count = 0;
        return -errno;
    }
    int fitted = take_fds(&message, fds, fd_count);
    if (fitted && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) return received;
    for (uint32_t i = 0; i < *fd_count; i++)
        close(fds[i]);
    *fd_count = 0;
    return -EMSGSIZE;
}
