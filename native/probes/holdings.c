/*
 * holdings.c - takes kernel objects of one kind and keeps them: what the tests of kernel memory run in a sandbox.
 * Usage: holdings KIND MIB. It takes objects until they amount to so many MiB by its own count, or until the kernel
 * refuses one, in as many processes as it needs. It says "KIND held N KiB" or "KIND stopped at N KiB: REASON" and
 * ends when its standard input does, or at once when one of its processes was killed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define KIB       1024L
#define MIB       (1024L * KIB)
#define BLOCK     (64L * KIB)
#define PROCESSES 96

static char block[BLOCK];
static int one_more = 1; /* a descriptor that is there anyway */

/* Writes until nothing more goes in; the bytes. */
static long fill(int fd)
{
    long total = 0;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    for (ssize_t n = write(fd, block, sizeof block); n > 0; n = write(fd, block, sizeof block))
        total += n;
    return total;
}

static int loopback(int type, struct sockaddr_in *place)
{
    const int large = 1 << 30;
    socklen_t size = sizeof *place;
    *place = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
    if (bind(fd, (struct sockaddr *)place, size) < 0 || getsockname(fd, (struct sockaddr *)place, &size) < 0)
        return -1;
    return fd;
}

static int connected(int type, const struct sockaddr_in *place)
{
    const int large = 1 << 30;
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
    return connect(fd, (const struct sockaddr *)place, sizeof *place) < 0 ? -1 : fd;
}

/* One pair of connected sockets with both buffers full. */
static long take_tcp(void)
{
    struct sockaddr_in place;
    int listener = loopback(SOCK_STREAM, &place);
    if (listener < 0 || listen(listener, 1) < 0) return -1;
    int client = connected(SOCK_STREAM, &place);
    int server = client < 0 ? -1 : accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    close(listener);
    return server < 0 ? -1 : fill(client) + fill(server) + KIB;
}

/* A connection that nobody accepts, and whose client is gone: only what it sent is left. */
static long take_unaccepted(void)
{
    static struct sockaddr_in place;
    static int listener = -1;
    static int waiting = 100;
    if (waiting == 100) {
        listener = loopback(SOCK_STREAM, &place);
        if (listener < 0 || listen(listener, 200) < 0) return -1;
        waiting = 0;
    }
    waiting++;
    int client = connected(SOCK_STREAM, &place);
    if (client < 0) return -1;
    long sent = fill(client);
    close(client);
    return sent + KIB;
}

static long take_udp(void)
{
    struct sockaddr_in place;
    int receiver = loopback(SOCK_DGRAM, &place);
    int sender = receiver < 0 ? -1 : connected(SOCK_DGRAM, &place);
    if (sender < 0) return -1;
    long total = KIB;
    for (int i = 0; i < 6; i++) /* what does not fit is thrown away */
        total += send(sender, block, 60000, MSG_DONTWAIT) > 0 ? 60000 : 0;
    close(sender);
    return total;
}

/* A netlink socket full of answers that nobody reads; the bytes that the kernel says it holds. */
static long take_netlink(void)
{
    const int large = 1 << 30;
    const struct {
        struct nlmsghdr header;
        struct rtgenmsg family;
    } links = {{.nlmsg_len = sizeof links, .nlmsg_type = RTM_GETLINK, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
               {0}};
    uint32_t counters[16] = {0};
    socklen_t size = sizeof counters;
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
    for (int i = 0; i < 1000; i++)
        if (send(fd, &links, sizeof links, MSG_DONTWAIT) < 0) break;
    if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, counters, &size) < 0) return -1;
    return counters[0];
}

static long take_unix(void)
{
    const int large = 1 << 30;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
    return fill(pair[0]) + KIB;
}

/* A descriptor in flight, closed here. None of a socket: those that nobody can receive any more are collected. */
static long take_flight(void)
{
    int pair[2];
    int sent_off = eventfd(0, EFD_CLOEXEC);
    if (sent_off < 0 || socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct iovec byte = {block, 1};
    struct msghdr message = {
        .msg_iov = &byte, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.header), &sent_off, sizeof sent_off);
    ssize_t sent = sendmsg(pair[0], &message, MSG_DONTWAIT);
    close(sent_off);
    return sent < 0 ? -1 : 2 * KIB;
}

static long take_pipe(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -1;
    return fill(ends[1]) + KIB;
}

static long take_epoll(void)
{
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) return -1;
    static int watched[200];
    for (int i = 0; i < 200; i++) {
        if (watched[i] == 0) watched[i] = eventfd(0, EFD_CLOEXEC);
        struct epoll_event event = {.events = EPOLLIN};
        if (watched[i] < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, watched[i], &event) < 0) return -1;
    }
    return 200 * 200;
}

static long take_eventfd(void)
{
    return eventfd(0, EFD_CLOEXEC) < 0 ? -1 : 256;
}

static long take_timerfd(void)
{
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC) < 0 ? -1 : 512;
}

static long take_watch(void)
{
    static int inotify = -1;
    static long number;
    char name[32];
    if (inotify < 0) inotify = inotify_init1(IN_CLOEXEC);
    snprintf(name, sizeof name, "w%d-%ld", getpid(), number++);
    if (inotify < 0 || mkdir(name, 0700) < 0) return -1;
    return inotify_add_watch(inotify, name, IN_CREATE) < 0 ? -1 : KIB;
}

static long take_timer(void)
{
    timer_t timer;
    return timer_create(CLOCK_MONOTONIC, NULL, &timer) < 0 ? -1 : 384;
}

static long take_signal(void)
{
    static sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    return sigqueue(getpid(), SIGRTMIN, (union sigval){0}) < 0 ? -1 : 80;
}

/* A lock of one byte, in files of 200 locks each. */
static long take_lock(void)
{
    static int file = -1;
    static long at = 200;
    if (at == 200) {
        char name[32];
        snprintf(name, sizeof name, "l%d-%d", getpid(), file);
        file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        unlink(name);
        at = 0;
    }
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * (200 - at++), .l_len = 1};
    return file < 0 || fcntl(file, F_SETLK, &lock) < 0 ? -1 : 192;
}

static long take_file(void)
{
    static long number;
    char name[256];
    snprintf(name, sizeof name, "%0200d-%ld", getpid(), number++);
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    close(file);
    return KIB;
}

/* Names that are not there are remembered, too. */
static long take_absent(void)
{
    static long number;
    char name[256];
    snprintf(name, sizeof name, "/usr/%0200d-%ld", getpid(), number++);
    return access(name, F_OK) == 0 ? -1 : 448;
}

static long take_xattr(void)
{
    static long number;
    char name[32];
    snprintf(name, sizeof name, "user.a%ld", number++);
    int file = open("attributes", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    int error = file < 0 ? -1 : fsetxattr(file, name, block, 60000, 0);
    close(file);
    return error < 0 ? -1 : 60000;
}

/* A table of pages for one page that is read and holds nothing. */
static long take_table(void)
{
    const size_t span = 2 * MIB;
    volatile char *bytes = mmap(NULL, span, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED) return -1;
    return madvise((void *)bytes, span, MADV_NOHUGEPAGE) < 0 ? -1 : 4 * KIB + bytes[0];
}

static long take_mapping(void)
{
    int access = PROT_READ | (one_more++ & 1 ? PROT_WRITE : 0); /* neighbours that differ are not merged */
    return mmap(NULL, 4096, access, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : KIB;
}

static long take_message(void)
{
    static struct {
        long type;
        char text[8000];
    } message = {.type = 1};
    int queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    if (queue < 0) return -1;
    return msgsnd(queue, &message, sizeof message.text, IPC_NOWAIT) < 0 ? -1 : 8 * KIB;
}

static long take_semaphores(void)
{
    return semget(IPC_PRIVATE, 30000, IPC_CREAT | 0600) < 0 ? -1 : 30000 * 64L;
}

static long take_segment(void)
{
    int id = shmget(IPC_PRIVATE, MIB, IPC_CREAT | 0600);
    char *bytes = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
    if (bytes == (void *)-1) return -1;
    memset(bytes, 1, MIB);
    return shmdt(bytes) < 0 ? -1 : MIB;
}

static long take_memfd(void)
{
    int file = memfd_create("holdings", MFD_CLOEXEC);
    return file < 0 || write(file, block, sizeof block) != (ssize_t)sizeof block ? -1 : BLOCK;
}

static long take_terminal(void)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0) return -1;
    return fill(master) + KIB;
}

static long take_key(void)
{
    static long number;
    char name[32];
    snprintf(name, sizeof name, "k%ld", number++);
    return syscall(SYS_add_key, "user", name, block, 16 * KIB, -3 /* the process's */) < 0 ? -1 : 16 * KIB;
}

static const struct kind {
    const char *name;
    long (*take)(void); /* the bytes by its own count, or -1 */
} KINDS[] = {
    {"tcp", take_tcp},
    {"unaccepted", take_unaccepted},
    {"udp", take_udp},
    {"unix", take_unix},
    {"netlink", take_netlink},
    {"flight", take_flight},
    {"pipe", take_pipe},
    {"epoll", take_epoll},
    {"eventfd", take_eventfd},
    {"timerfd", take_timerfd},
    {"watch", take_watch},
    {"timer", take_timer},
    {"signal", take_signal},
    {"lock", take_lock},
    {"file", take_file},
    {"absent", take_absent},
    {"xattr", take_xattr},
    {"table", take_table},
    {"mapping", take_mapping},
    {"message", take_message},
    {"semaphore", take_semaphores},
    {"segment", take_segment},
    {"memfd", take_memfd},
    {"terminal", take_terminal},
    {"key", take_key},
};

/* Takes what it can up to a number of bytes, tells how much through the pipe and keeps it. */
static void keep(const struct kind *kind, long wanted, int tell, const int until[2])
{
    close(until[1]);
    long held[2] = {0, 0};
    for (long more = 0; held[0] < wanted; held[0] += more) {
        errno = 0;
        more = kind->take();
        if (more < 0) {
            held[1] = errno != 0 ? errno : ENOMEM;
            break;
        }
    }
    if (write(tell, held, sizeof held) != (ssize_t)sizeof held) _exit(1);
    char end;
    _exit(read(until[0], &end, 1) < 0);
}

/* One process after the other takes what is left to take; a refusal in the last one, or without anything, is the end.
 */
static long spread(const struct kind *kind, long wanted, const int until[2], long *error)
{
    long total = 0;
    for (int i = 0; i < PROCESSES && total < wanted; i++) {
        int tell[2];
        if (pipe2(tell, O_CLOEXEC) < 0) return total;
        pid_t child = fork();
        if (child == 0) keep(kind, wanted - total, tell[1], until);
        close(tell[1]);
        long held[2] = {0, errno};
        ssize_t got = child < 0 ? -1 : read(tell[0], held, sizeof held);
        close(tell[0]);
        *error = got == (ssize_t)sizeof held ? held[1] : EOWNERDEAD;
        if (got != (ssize_t)sizeof held || held[0] == 0) return total;
        total += held[0];
    }
    return total;
}

int main(int argc, char **argv)
{
    int hold[2]; /* the children keep what they have until this is closed */
    for (size_t i = 0; argc == 3 && i < sizeof KINDS / sizeof *KINDS; i++) {
        if (strcmp(argv[1], KINDS[i].name) != 0) continue;
        long error = 0;
        long wanted = strtol(argv[2], NULL, 10) * MIB;
        if (pipe2(hold, O_CLOEXEC) < 0) return 3;
        long total = spread(&KINDS[i], wanted, hold, &error);
        if (total < wanted)
            printf("%s stopped at %ld KiB: %s\n", KINDS[i].name, total / KIB, strerror((int)error));
        else
            printf("%s held %ld KiB\n", KINDS[i].name, total / KIB);
        fflush(stdout);
        if (error == EOWNERDEAD) return 4; /* whoever took them was killed: there is nothing to keep */
        while (read(0, block, sizeof block) > 0) {
        }
        return total < wanted ? 4 : 0;
    }
    fprintf(stderr, "usage: holdings KIND MIB\n");
    return 2;
}
