/* d_sockets.c - memory in the buffers of sockets, which cgroup v1 counts beside the memory limit: D-18. */
#include "probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PAIRS 480

static char block[1 << 16];

/* Sends until nothing more goes in; the bytes. */
static long stuff(int fd)
{
    long total = 0;
    for (ssize_t sent = 1; sent > 0; total += sent > 0 ? sent : 0)
        sent = send(fd, block, sizeof block, MSG_DONTWAIT);
    return total;
}

/* Two connected sockets that nobody reads from, full; the bytes in them, or -1. */
static long take_pair(void)
{
    const int large = 1 << 30;
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || client < 0) return -1;
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
    setsockopt(client, SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
    if (bind(listener, (struct sockaddr *)&place, size) < 0 || listen(listener, 1) < 0 ||
        getsockname(listener, (struct sockaddr *)&place, &size) < 0 ||
        connect(client, (struct sockaddr *)&place, size) < 0)
        return -1;
    int server = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    close(listener);
    return server < 0 ? -1 : stuff(client) + stuff(server);
}

/* Arguments: bytes, and the milliseconds for which they are kept. The job has less memory than that: to live on with
 * them is to escape. */
static void fill_sockets(struct trial *trial)
{
    long wanted = argument_number(trial, 0, 1 << 20), kept = argument_number(trial, 1, 0);
    long total = 0;
    for (int pair = 0; pair < PAIRS && total < wanted; pair++) {
        long more = take_pair();
        if (more < 0) {
            tell_denied(trial, "socket buffers", errno);
            return;
        }
        total += more;
    }
    struct timespec left = {.tv_sec = kept / 1000, .tv_nsec = kept % 1000 * 1000000};
    while (nanosleep(&left, &left) < 0 && errno == EINTR) {
    }
    if (total >= wanted)
        tell_escaped(trial, "socket buffers", "%ld bytes", total);
    else
        tell_denied_as(trial, "socket buffers", "only %ld bytes in %d connections", total, PAIRS);
}

const struct probe D_SOCKETS[] = {
    {"D-18", "memory in socket buffers", fill_sockets},
    {NULL, NULL, NULL},
};
