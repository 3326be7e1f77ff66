/* test_wire.c - messages arrive whole with their descriptors, or not at all. */
#include "command.h"
#include "cordon.h"
#include "sys.h"
#include "tap.h"
#include "wire.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static int open_descriptors(void)
{
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

struct fixture {
    int pair[2];
    struct wire_message *message;
};

static struct fixture open_fixture(void)
{
    struct fixture fixture = {.message = calloc(1, sizeof(struct wire_message))};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fixture.pair) < 0) abort();
    return fixture;
}

static void close_fixture(struct fixture *fixture)
{
    close(fixture->pair[0]);
    close(fixture->pair[1]);
    free(fixture->message);
}

static void test_round_trip(struct tap *tap)
{
    struct fixture f = open_fixture();
    struct wire_started started = {.size = sizeof started, .pid = 42};
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int sent = wire_send(f.pair[0], WIRE_STARTED, 7, &started, sizeof started, &null, 1, 0);
    int received = wire_receive(f.pair[1], f.message, MSG_DONTWAIT);
    const struct wire_started *body = wire_body(f.message, sizeof *body);
    tap_ok(tap, sent == 0 && received == 1, "a message arrives");
    tap_ok(tap, f.message->header.id == 7 && body != NULL && body->pid == 42, "its header and body are whole");
    tap_ok(tap, f.message->fd_count == 1 && (fcntl(f.message->fds[0], F_GETFD) & FD_CLOEXEC),
           "its descriptor is close-on-exec");
    wire_close_fds(f.message);
    close(null);
    tap_ok(tap, wire_receive(f.pair[1], f.message, MSG_DONTWAIT) == -EAGAIN, "an empty socket says so");
    shutdown(f.pair[0], SHUT_RDWR);
    tap_ok(tap, wire_receive(f.pair[1], f.message, MSG_DONTWAIT) == 0, "the end is told apart");
    close_fixture(&f);
}

/* Sends raw bytes with three descriptors and expects that they are refused and nothing stays open. */
static void expect_refused(struct tap *tap, const char *name, const void *bytes, uint32_t length)
{
    struct fixture f = open_fixture();
    int before = open_descriptors();
    int fds[3] = {0, 1, 2};
    cordon_send(f.pair[0], bytes, length, fds, 3);
    int received = wire_receive(f.pair[1], f.message, MSG_DONTWAIT);
    tap_ok(tap, received == -EPROTO && open_descriptors() == before, "refused without a leak: %s", name);
    close_fixture(&f);
}

static void test_malformed(struct tap *tap)
{
    struct wire_header good = {.version = WIRE_VERSION, .type = WIRE_CLOSE, .length = 0, .id = 1, .fd_count = 3};
    struct wire_header header = good;
    expect_refused(tap, "half a header", &header, 7);
    header.version = 2;
    expect_refused(tap, "another version", &header, sizeof header);
    header = good;
    header.length = 4;
    expect_refused(tap, "a length that is not there", &header, sizeof header);
    header = good;
    header.fd_count = 2;
    expect_refused(tap, "more descriptors than stated", &header, sizeof header);
    unsigned char *large = calloc(1, WIRE_MAX_BYTES + 64);
    header = good;
    header.length = WIRE_MAX_BYTES + 64 - sizeof header;
    memcpy(large, &header, sizeof header);
    expect_refused(tap, "a message over the limit", large, WIRE_MAX_BYTES + 64);
    free(large);
}

static size_t fill_exec(struct wire_message *message, const char *strings, size_t length, uint32_t argc,
                        uint32_t envc)
{
    struct wire_exec exec = {
        .size = sizeof exec,
        .flags = EXEC_STDIN_NULL,
        .wall_ns = 1,
        .argc = argc,
        .envc = envc,
        .strings_bytes = (uint32_t)length,
    };
    memcpy(message->body, &exec, sizeof exec);
    memcpy(message->body + sizeof exec, strings, length);
    message->header.length = (uint32_t)(sizeof exec + length);
    message->fd_count = 2;
    message->fds[0] = 1;
    message->fds[1] = 2;
    return sizeof exec + length;
}

static void add_extra(struct wire_message *message, uint32_t stated, unsigned sent)
{
    struct wire_exec *exec = (struct wire_exec *)(void *)message->body;
    exec->extra_fds = stated;
    for (unsigned i = 0; i < sent; i++)
        message->fds[message->fd_count++] = (int)(100 + i);
}

static int parse(struct wire_message *message, struct command *command)
{
    int parsed = command_parse(command, message);
    if (parsed < 0) {
        command_free(command);
        *command = (struct command){0};
    }
    return parsed;
}

static void test_commands(struct tap *tap)
{
    struct fixture f = open_fixture();
    struct command command;
    static const char strings[] = "/workspace\0echo\0hi\0A=1";
    fill_exec(f.message, strings, sizeof strings, 2, 1);
    int parsed = parse(f.message, &command);
    tap_ok(tap,
           parsed == 0 && strcmp(command.cwd, "/workspace") == 0 && strcmp(command.argv[1], "hi") == 0 &&
               command.argv[2] == NULL && strcmp(command.envp[0], "A=1") == 0 && command.envp[1] == NULL,
           "a command is taken apart");
    command_free(&command);
    struct {
        const char *name;
        size_t length;
        uint32_t argc;
        uint32_t envc;
    } bad[] = {
        {"fewer strings than stated", sizeof strings, 3, 1},
        {"more strings than stated", sizeof strings, 1, 1},
        {"no argument", sizeof strings, 0, 3},
        {"the last NUL is missing", sizeof strings - 1, 2, 1},
        {"no strings", 0, 2, 1},
        {"an absurd count", sizeof strings, UINT32_MAX, 1},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        fill_exec(f.message, strings, bad[i].length, bad[i].argc, bad[i].envc);
        tap_ok(tap, parse(f.message, &command) < 0, "a command is refused: %s", bad[i].name);
    }
    fill_exec(f.message, strings, sizeof strings, 2, 1);
    f.message->fd_count = 3;
    tap_ok(tap, parse(f.message, &command) < 0, "a command is refused: descriptors nobody asked for");
    fill_exec(f.message, "relative\0x", 11, 1, 0);
    tap_ok(tap, parse(f.message, &command) < 0, "a command is refused: a relative working directory");
    f.message->fd_count = 0;
    close_fixture(&f);
}

static void test_extra_descriptors(struct tap *tap)
{
    struct fixture f = open_fixture();
    struct command command;
    static const char strings[] = "/\0a";
    fill_exec(f.message, strings, sizeof strings, 1, 0);
    add_extra(f.message, 2, 2);
    tap_ok(tap,
           parse(f.message, &command) == 0 && command.stdio[2] == 2 && command.extra[0] == 100 &&
               command.extra[1] == 101,
           "extra descriptors come after stderr");
    command_free(&command);
    fill_exec(f.message, strings, sizeof strings, 1, 0);
    add_extra(f.message, WIRE_MAX_EXTRA_FDS, WIRE_MAX_EXTRA_FDS);
    tap_ok(tap, parse(f.message, &command) == 0, "as many as the limit says");
    command_free(&command);
    struct {
        const char *name;
        uint32_t stated;
        unsigned sent;
    } bad[] = {
        {"fewer than stated", 3, 2},
        {"more than stated", 1, 2},
        {"over the limit", WIRE_MAX_EXTRA_FDS + 1, WIRE_MAX_EXTRA_FDS + 1},
        {"a count that wraps around", UINT32_MAX - 1, 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        fill_exec(f.message, strings, sizeof strings, 1, 0);
        add_extra(f.message, bad[i].stated, bad[i].sent);
        tap_ok(tap, parse(f.message, &command) < 0, "extra descriptors are refused: %s", bad[i].name);
    }
    f.message->fd_count = 0;
    close_fixture(&f);
}

int main(void)
{
    struct tap tap = {0};
    test_round_trip(&tap);
    test_malformed(&tap);
    test_commands(&tap);
    test_extra_descriptors(&tap);
    return tap_end(&tap);
}
