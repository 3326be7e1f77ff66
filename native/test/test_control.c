/* test_control.c - a running supervisor whose control socket carries what no control plane sends: it hangs up, and
   leaves nothing behind. The supervisor is the one that was built beside this test, with the same sanitizers. */
#include "cordon_wire.h"
#include "tap.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONTROL_FD = 3, SANITIZER_EXIT = 99, PATIENCE_SECONDS = 60 };

struct packet {
    const void *bytes;
    size_t length;
    int fds; /* that many descriptors of /dev/null travel beside it */
};

static const char *supervisor(void)
{
    static char path[PATH_MAX];
    static char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) abort();
    const char *directory = dirname(self);
    snprintf(path, sizeof path, "%.4000s/cordon-supervisor", directory);
    if (access(path, X_OK) < 0) snprintf(path, sizeof path, "%.4000s/../cordon-supervisor", directory);
    return path;
}

/* Its standard error is a file: what a sanitizer says is found there. */
static pid_t start(int control, int errors)
{
    pid_t pid = fork();
    if (pid != 0) return pid;
    alarm(PATIENCE_SECONDS); /* kept over exec: one that hangs dies of a signal, and the test says so */
    char *const argv[] = {"cordon-supervisor", NULL};
    char *const environment[] = {"ASAN_OPTIONS=exitcode=99", "UBSAN_OPTIONS=exitcode=99", NULL};
    if (dup2(errors, STDERR_FILENO) < 0 || dup2(control, CONTROL_FD) < 0) _exit(98);
    if (control != CONTROL_FD) close(control);
    execve(supervisor(), argv, environment);
    _exit(97);
}

static void send_packet(int socket, const struct packet *packet)
{
    int fds[64];
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < packet->fds; i++)
        fds[i] = null;
    char control[CMSG_SPACE(sizeof fds)];
    memset(control, 0, sizeof control);
    struct iovec part = {.iov_base = (void *)(uintptr_t)packet->bytes, .iov_len = packet->length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (packet->fds > 0) {
        size_t bytes = (size_t)packet->fds * sizeof(int);
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(bytes);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(bytes);
        memcpy(CMSG_DATA(header), fds, bytes);
    }
    (void)sendmsg(socket, &message, MSG_NOSIGNAL); /* it may have hung up already */
    close(null);
}

static int said_by_sanitizer(int errors)
{
    char text[4096] = {0};
    return pread(errors, text, sizeof text - 1, 0) > 0 &&
           (strstr(text, "Sanitizer") != NULL || strstr(text, "runtime error") != NULL);
}

static void try_packets(struct tap *tap, const char *what, const struct packet *packets, int count)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) abort();
    int errors = memfd_create("errors", MFD_CLOEXEC);
    pid_t pid = start(pair[1], errors);
    close(pair[1]);
    for (int i = 0; i < count; i++)
        send_packet(pair[0], &packets[i]);
    if (count == 0) close(pair[0]);
    int status = 0;
    int ended = waitpid(pid, &status, 0) == pid;
    tap_ok(tap, ended && WIFEXITED(status) && WEXITSTATUS(status) <= 2,
           "%s: the supervisor ends by itself (status %#x)", what, (unsigned)status);
    tap_ok(tap, !said_by_sanitizer(errors), "%s: no sanitizer spoke", what);
    tap_ok(tap, waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "%s: no process is left", what);
    if (count > 0) close(pair[0]);
    close(errors);
}

static struct wire_header header(uint16_t type, uint32_t length, uint32_t fd_count)
{
    return (struct wire_header){
        .version = WIRE_VERSION, .type = type, .length = length, .id = 1, .fd_count = fd_count};
}

static void test_garbage(struct tap *tap)
{
    static unsigned char noise[WIRE_MAX_BYTES + 4096];
    srandom(20);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (unsigned char)random();
    try_packets(tap, "the peer is gone", NULL, 0);
    try_packets(tap, "one byte", &(struct packet){noise, 1, 0}, 1);
    try_packets(tap, "noise of a header's size", &(struct packet){noise, sizeof(struct wire_header), 0}, 1);
    try_packets(tap, "noise", &(struct packet){noise, 4096, 3}, 1);
    try_packets(tap, "more than a packet holds", &(struct packet){noise, sizeof noise, 0}, 1);
}

static void test_order(struct tap *tap)
{
    for (uint16_t type = 0; type < 20; type++) {
        if (type == WIRE_OPEN) continue;
        struct wire_header early = header(type, 0, 0);
        char what[64];
        snprintf(what, sizeof what, "type %u before OPEN", type);
        try_packets(tap, what, &(struct packet){&early, sizeof early, 0}, 1);
    }
}

static void test_open(struct tap *tap)
{
    struct {
        struct wire_header header;
        struct wire_open body;
    } open = {.header = header(WIRE_OPEN, sizeof open.body, 0), .body = {.size = sizeof open.body}};
    try_packets(tap, "OPEN without descriptors", &(struct packet){&open, sizeof open, 0}, 1);
    try_packets(tap, "OPEN cut short", &(struct packet){&open, sizeof open - 9, 0}, 1);
    open.header.fd_count = 3;
    try_packets(tap, "OPEN with fewer descriptors than it says", &(struct packet){&open, sizeof open, 1}, 1);
    try_packets(tap, "OPEN with descriptors of another kind", &(struct packet){&open, sizeof open, 3}, 1);
    memset(open.body.roles, 0xff, sizeof open.body.roles);
    try_packets(tap, "OPEN with roles that are none", &(struct packet){&open, sizeof open, 3}, 1);
    open.header.fd_count = 64;
    try_packets(tap, "OPEN with too many descriptors", &(struct packet){&open, sizeof open, 64}, 1);
    open.header.fd_count = 3;
    open.header.version++;
    try_packets(tap, "OPEN of another version", &(struct packet){&open, sizeof open, 3}, 1);
    open.header.version--;
    open.header.length = UINT32_MAX;
    try_packets(tap, "OPEN with a length of 4 GiB", &(struct packet){&open, sizeof open, 3}, 1);
}

int main(void)
{
    struct tap tap = {0};
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* what a supervisor leaves behind comes to us */
    test_garbage(&tap);
    test_order(&tap);
    test_open(&tap);
    return tap_end(&tap);
}
