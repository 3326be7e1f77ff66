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
#include <sys/stat.h>

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

static void test_sealed_copy(struct tap *tap)
{
    int file = memfd_create("source", MFD_CLOEXEC);
    enum { SIZE = 64 << 20, AT = 48 << 20 };
    int filled = ftruncate(file, SIZE) == 0 && pwrite(file, "hello", 5, AT) == 5;
    int fd = cordon_sealed_copy("copy", file);
    struct stat status;
    char text[8] = {0};
    tap_ok(tap, filled && fd >= 0 && fstat(fd, &status) == 0 && status.st_size == SIZE, "a copy has the file's size");
    tap_ok(tap, pread(fd, text, 5, AT) == 5 && memcmp(text, "hello", 5) == 0 && status.st_blocks * 512 < 1 << 20,
           "it has the file's content and its holes");
    tap_ok(tap, pwrite(fd, "x", 1, 0) < 0 && errno == EPERM, "it can't be written");
    close(fd);
    close(file);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    tap_ok(tap, cordon_sealed_copy("copy", null) == -EINVAL, "what is not a regular file is refused");
    close(null);
}

/* A shell that answers over descriptor 1 what is open; its glob opens the directory as well. */
static void test_start(struct tap *tap)
{
    int pair[2];
    cordon_stream(pair);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int32_t fds[] = {null, pair[1], null, null, null};
    char *argv[] = {"sh", "-c",
                    "for i in 0 1 2 3 4 5 6 7 8 9; do test -e /proc/$$/fd/$i && echo -n $i; done; "
                    "grep -q 'SigBlk:.0*$' /proc/self/status && echo -n $MARK",
                    NULL};
    char *envp[] = {"PATH=/usr/bin:/bin", "MARK=!", NULL};
    int32_t pidfd;
    int pid = cordon_start("/bin/sh", argv, envp, fds, 5, &pidfd);
    tap_ok(tap, pid > 0 && reap(pidfd) == 0, "a program of the host is started");
    char text[32] = {0};
    ssize_t got = read(pair[0], text, sizeof text - 1);
    tap_ok(tap, got > 0 && strcmp(text, "01234!") == 0, "it has the given descriptors and signals: %s", text);
    close(pidfd);
    char *missing[] = {"x", NULL};
    tap_ok(tap, cordon_start("/nonexistent", missing, envp, fds, 3, &pidfd) == -ENOENT && pidfd == -1,
           "one that is not there is reported");
    tap_ok(tap, cordon_start("/bin/sh", argv, envp, fds, 33, &pidfd) == -EINVAL, "too many descriptors are refused");
    close(null);
    close(pair[0]);
    close(pair[1]);
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
    test_sealed_copy(&tap);
    test_start(&tap);
    test_messages(&tap);
    test_poll(&tap);
    return tap_end(&tap);
}
