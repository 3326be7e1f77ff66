/* test_shim.c - libcordon.so as the JVM uses it. */
#include "cordon.h"
#include "sys.h"
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>

/* Waits until the process behind the pidfd has ended. */
static int reap(int pidfd)
{
    struct pollfd ended = {.fd = pidfd, .events = POLLIN};
    poll(&ended, 1, -1);
    return cordon_reap(pidfd);
}

static struct cordon_spawn_args spawn_args(int program, int control)
{
    return (struct cordon_spawn_args){
        .size = sizeof(struct cordon_spawn_args),
        .exec_fd = program,
        .control_fd = control,
        .stderr_fd = -1,
        .cgroup_fd = -1,
        .argv0 = "test",
    };
}

static void test_spawn(struct tap *tap)
{
    int pair[2];
    tap_ok(tap, cordon_channel(pair) == 0, "a channel is made");
    int program = open("/bin/true", O_PATH | O_CLOEXEC);
    struct cordon_spawn_args args = spawn_args(program, pair[1]);
    int pid = cordon_spawn(&args);
    tap_ok(tap, pid > 0 && args.pidfd >= 0, "a program is started");
    tap_ok(tap, reap(args.pidfd) == 0, "it ends with status 0");
    tap_ok(tap, cordon_reap(args.pidfd) == -ECHILD, "it is reaped once");
    close(args.pidfd);

    int nothing = open("/", O_PATH | O_CLOEXEC);
    args = spawn_args(nothing, pair[1]);
    int refused = cordon_spawn(&args);
    tap_ok(tap, refused == -EACCES && args.pidfd == -1, "a failed exec is reported as its errno");
    args = spawn_args(program, 999);
    tap_ok(tap, cordon_spawn(&args) == -EBADF, "a bad control descriptor is reported");
    args.size = 4;
    tap_ok(tap, cordon_spawn(&args) == -EINVAL, "another struct size is refused");
    close(nothing);
    close(program);
    close(pair[0]);
    close(pair[1]);
}

/* What this program does when the shim starts it: 0 when it has descriptors 0 to 3 alone and no environment. */
static int examine_own_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int unexpected = 0;
    int seen = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        int fd = atoi(entry->d_name);
        if (entry->d_name[0] == '.' || fd == dirfd(directory)) continue;
        seen |= 1 << fd;
        unexpected += fd > 3;
    }
    closedir(directory);
    return unexpected == 0 && seen == 15 && environ[0] == NULL ? 0 : 1;
}

/* 50 descriptors without close-on-exec, as a JVM has them. */
static void test_descriptors(struct tap *tap)
{
    int held[50];
    for (size_t i = 0; i < ARRAY_LENGTH(held); i++)
        held[i] = open("/dev/null", O_RDONLY);
    int pair[2];
    cordon_channel(pair);
    int program = open("/proc/self/exe", O_PATH | O_CLOEXEC);
    struct cordon_spawn_args args = spawn_args(program, pair[1]);
    args.argv0 = "examine";
    int pid = cordon_spawn(&args);
    tap_ok(tap, pid > 0 && reap(args.pidfd) == 0, "beside 50 inheritable descriptors the program has 0 to 3 alone");
    close(args.pidfd);
    for (size_t i = 0; i < ARRAY_LENGTH(held); i++)
        close(held[i]);
    close(program);
    close(pair[0]);
    close(pair[1]);
}

static void test_signals(struct tap *tap)
{
    sigset_t before, after;
    sigprocmask(SIG_BLOCK, NULL, &before);
    int pair[2];
    cordon_channel(pair);
    int program = open("/bin/true", O_PATH | O_CLOEXEC);
    struct cordon_spawn_args args = spawn_args(program, pair[1]);
    cordon_spawn(&args);
    reap(args.pidfd);
    sigprocmask(SIG_BLOCK, NULL, &after);
    int same = 1;
    for (int signal = 1; signal < 64; signal++)
        same &= sigismember(&before, signal) == sigismember(&after, signal);
    tap_ok(tap, same, "the caller's signal mask is as before");
    close(args.pidfd);
    close(program);
    close(pair[0]);
    close(pair[1]);
}

static void test_sealed(struct tap *tap)
{
    int fd = cordon_sealed("bytes", "hello", 5);
    char text[8] = {0};
    tap_ok(tap, fd >= 0 && pread(fd, text, sizeof text, 0) == 5 && memcmp(text, "hello", 5) == 0,
           "sealed bytes can be read");
    tap_ok(tap, pwrite(fd, "x", 1, 0) < 0 && errno == EPERM, "they can't be written");
    tap_ok(tap, ftruncate(fd, 0) < 0 && ftruncate(fd, 10) < 0, "they can't be cut or grown");
    close(fd);
}

static void test_messages(struct tap *tap)
{
    int pair[2];
    cordon_channel(pair);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    tap_ok(tap, cordon_send(pair[1], "abc", 3, &null, 1) == 3, "a message is sent");
    char bytes[2];
    int32_t fds[4];
    uint32_t count = 4;
    tap_ok(tap, cordon_receive(pair[0], bytes, sizeof bytes, fds, &count) == -EMSGSIZE && count == 0,
           "a message that does not fit is refused, its descriptors closed");
    cordon_send(pair[1], "ab", 2, &null, 1);
    count = 0;
    tap_ok(tap, cordon_receive(pair[0], bytes, sizeof bytes, fds, &count) == -EMSGSIZE,
           "no room for descriptors is refused");
    count = 4;
    tap_ok(tap, cordon_receive(pair[0], bytes, sizeof bytes, fds, &count) == -EAGAIN, "an empty channel says so");
    close(pair[1]);
    count = 4;
    tap_ok(tap, cordon_receive(pair[0], bytes, sizeof bytes, fds, &count) == 0, "the end is told apart");
    close(null);
    close(pair[0]);
}

static void test_poll(struct tap *tap)
{
    int poll_fd = cordon_poll_open();
    int pair[2];
    cordon_channel(pair);
    struct cordon_event events[4];
    tap_ok(tap, cordon_poll_set(poll_fd, pair[0], EPOLLIN, 77) == 0, "interest is registered");
    tap_ok(tap, cordon_poll_wait(poll_fd, events, 4, 0) == 0, "nothing is ready yet");
    cordon_send(pair[1], "x", 1, NULL, 0);
    tap_ok(tap, cordon_poll_wait(poll_fd, events, 4, -1) == 1 && events[0].token == 77,
           "readiness carries the token");
    tap_ok(tap, cordon_poll_set(poll_fd, pair[0], EPOLLIN | EPOLLOUT, 78) == 0, "interest is changed");
    tap_ok(tap, cordon_poll_wait(poll_fd, events, 4, -1) == 1 && events[0].token == 78, "the new token is used");
    tap_ok(tap, cordon_poll_set(poll_fd, pair[0], 0, 0) == 0 && cordon_poll_wait(poll_fd, events, 4, 0) == 0,
           "interest is removed");
    close(pair[0]);
    close(pair[1]);
    close(poll_fd);
}

int main(int argc, char **argv)
{
    if (argc == 1 && strcmp(argv[0], "examine") == 0) return examine_own_descriptors();
    struct tap tap = {0};
    tap_ok(&tap, cordon_abi_version() == CORDON_ABI_VERSION, "the library is of the header's version");
    test_spawn(&tap);
    test_descriptors(&tap);
    test_signals(&tap);
    test_sealed(&tap);
    test_messages(&tap);
    test_poll(&tap);
    return tap_end(&tap);
}
