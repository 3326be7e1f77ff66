/* places.c - files, IPC and sockets that a name and a number lead to. */
#include "places.h"
#include "probe.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define FIRST_PORT 20000
#define PORTS      20000

/* ---- files ---- */

static const char *path_in(const char *directory, const char *name, const char *ending)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/cordon-%s%s", directory, name, ending);
    return path;
}

static int use_file(const char *path, int plant)
{
    return open(path, (plant ? O_CREAT | O_EXCL : 0) | O_RDWR | O_NONBLOCK | O_CLOEXEC, 0666);
}

static int in_tmp(const char *name, key_t key, int plant)
{
    (void)key;
    return use_file(path_in("/tmp", name, ""), plant);
}

static int in_shm(const char *name, key_t key, int plant)
{
    (void)key;
    return use_file(path_in("/dev/shm", name, ""), plant);
}

static int in_var_tmp(const char *name, key_t key, int plant)
{
    (void)key;
    return use_file(path_in("/var/tmp", name, ""), plant);
}

static int in_fifo(const char *name, key_t key, int plant)
{
    (void)key;
    const char *path = path_in("/tmp", name, ".fifo");
    return plant ? mkfifo(path, 0666) : open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

/* ---- System V and POSIX ---- */

static int in_memory(const char *name, key_t key, int plant)
{
    (void)name;
    return shmget(key, plant ? 4096 : 0, plant ? IPC_CREAT | IPC_EXCL | 0666 : 0666);
}

static int in_semaphores(const char *name, key_t key, int plant)
{
    (void)name;
    return semget(key, plant ? 1 : 0, plant ? IPC_CREAT | IPC_EXCL | 0666 : 0666);
}

static int in_messages(const char *name, key_t key, int plant)
{
    (void)name;
    return msgget(key, plant ? IPC_CREAT | IPC_EXCL | 0666 : 0666);
}

static int in_queue(const char *name, key_t key, int plant)
{
    char path[128];
    struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 16};
    (void)key;
    snprintf(path, sizeof path, "/cordon-%s", name);
    return (int)mq_open(path, plant ? O_CREAT | O_EXCL | O_RDWR : O_RDWR, 0666, plant ? &small : NULL);
}

/* ---- sockets ---- */

static int attach(int family, int type, const void *address, size_t length, int listening)
{
    int fd = socket(family, type | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    int done = listening ? bind(fd, address, (socklen_t)length) : connect(fd, address, (socklen_t)length);
    if (done == 0 && listening && type == SOCK_STREAM) done = listen(fd, 4);
    if (done == 0) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static int attach_abstract(const char *name, int type, int listening)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    if (length >= sizeof address.sun_path) {
        errno = EINVAL;
        return -1;
    }
    memcpy(address.sun_path + 1, name, length);
    return attach(AF_UNIX, type, &address, offsetof(struct sockaddr_un, sun_path) + 1 + length, listening);
}

int abstract_connect(const char *name, int type)
{
    return attach_abstract(name, type, 0);
}

int abstract_listen(const char *name, int type)
{
    return attach_abstract(name, type, 1);
}

static int in_abstract_stream(const char *name, key_t key, int plant)
{
    (void)key;
    return attach_abstract(name, SOCK_STREAM, plant);
}

static int in_abstract_datagram(const char *name, key_t key, int plant)
{
    char other[128];
    (void)key;
    snprintf(other, sizeof other, "%s-datagram", name);
    return attach_abstract(other, SOCK_DGRAM, plant);
}

static int in_path_socket(const char *name, key_t key, int plant)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)key;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path_in("/tmp", name, ".socket"));
    return attach(AF_UNIX, SOCK_STREAM, &address, sizeof address, plant);
}

static int in_loopback(key_t key, int type, int plant)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(FIRST_PORT + key % PORTS))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return attach(AF_INET, type, &address, sizeof address, plant);
}

static int in_tcp(const char *name, key_t key, int plant)
{
    (void)name;
    return in_loopback(key, SOCK_STREAM, plant);
}

/* A datagram socket connects to anything; the refusal of a packet comes with the next one. */
static int in_udp(const char *name, key_t key, int plant)
{
    (void)name;
    int fd = in_loopback(key, SOCK_DGRAM, plant);
    if (fd < 0 || plant) return fd;
    char byte = 'x';
    if (send(fd, &byte, 1, 0) == 1 && send(fd, &byte, 1, 0) == 1) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

const struct place PLACES[] = {
    {"a file in /tmp", in_tmp},
    {"a file in /dev/shm", in_shm},
    {"a file in /var/tmp", in_var_tmp},
    {"a fifo", in_fifo},
    {"SysV memory", in_memory},
    {"SysV semaphores", in_semaphores},
    {"SysV messages", in_messages},
    {"a POSIX message queue", in_queue},
    {"an abstract stream socket", in_abstract_stream},
    {"an abstract datagram socket", in_abstract_datagram},
    {"a socket in /tmp", in_path_socket},
    {"a TCP port of loopback", in_tcp},
    {"a UDP port of loopback", in_udp},
};
const unsigned PLACE_COUNT = ARRAY_LENGTH(PLACES);

void places_clean(const char *name, key_t key)
{
    char queue[128];
    unlink(path_in("/tmp", name, ""));
    unlink(path_in("/tmp", name, ".fifo"));
    unlink(path_in("/tmp", name, ".socket"));
    unlink(path_in("/dev/shm", name, ""));
    unlink(path_in("/var/tmp", name, ""));
    snprintf(queue, sizeof queue, "/cordon-%s", name);
    mq_unlink(queue);
    int id = shmget(key, 0, 0666);
    if (id >= 0) shmctl(id, IPC_RMID, NULL);
    id = semget(key, 0, 0666);
    if (id >= 0) semctl(id, 0, IPC_RMID);
    id = msgget(key, 0666);
    if (id >= 0) msgctl(id, IPC_RMID, NULL);
}
