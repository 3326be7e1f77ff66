/*
 * fuzz_parsers.c - a mutating fuzzer for what arrives from outside: the plan, the packets, the exec request,
 * the rules for observing, and the frames that the agent in a machine hears (THREATS H-09).
 * Runs for CORDON_FUZZ_SECONDS (30), under ASan and UBSan; the seed is printed, CORDON_FUZZ_SEED repeats a run.
 * Every good input keeps being accepted, so that a parser which refuses everything does not pass.
 */
#include "command.h"
#include "cordon.h"
#include "frame.h"
#include "observe.h"
#include "plan.h"
#include "plans.h"
#include "sys.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/socket.h>

struct fuzz {
    uint64_t state;
    uint64_t rounds;
    uint64_t accepted;
};

static uint32_t draw(struct fuzz *fuzz, uint32_t below)
{
    fuzz->state ^= fuzz->state << 13;
    fuzz->state ^= fuzz->state >> 7;
    fuzz->state ^= fuzz->state << 17;
    return (uint32_t)(fuzz->state >> 32) % below;
}

static void mutate(struct fuzz *fuzz, unsigned char *bytes, size_t length)
{
    static const uint32_t odd[] = {0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff8, 4096, 65536};
    for (uint32_t i = 0, count = draw(fuzz, 4); i < count && length > 4; i++) {
        uint32_t at = draw(fuzz, (uint32_t)length - 4);
        switch (draw(fuzz, 3)) {
        case 0:
            bytes[at] ^= (unsigned char)(1u << draw(fuzz, 8));
            break;
        case 1:
            bytes[at] = (unsigned char)draw(fuzz, 256);
            break;
        default:
            memcpy(bytes + (at & ~3u), &odd[draw(fuzz, ARRAY_LENGTH(odd))], 4);
        }
    }
}

static void fuzz_plan(struct fuzz *fuzz)
{
    struct plan_buffer buffer;
    plan_begin(&buffer);
    plan_add(&buffer, OP_DIR, "/usr", NULL);
    plan_add(&buffer, OP_BIND, "/usr", "/usr");
    plan_add(&buffer, OP_FILE, "/etc/passwd", "root");
    struct plan_op *tmpfs = plan_add(&buffer, OP_TMPFS, "/tmp", NULL);
    tmpfs->bytes = tmpfs->inodes = 4096;
    mutate(fuzz, buffer.bytes, buffer.length);
    size_t length = draw(fuzz, 8) == 0 ? draw(fuzz, (uint32_t)buffer.length + 1) : buffer.length;
    unsigned char *exact = malloc(length == 0 ? 1 : length);
    memcpy(exact, buffer.bytes, length);
    struct plan plan;
    const char *why;
    if (plan_check(&plan, exact, length, &why) == 0) {
        fuzz->accepted++;
        struct operation operation;
        size_t sum = 0;
        for (size_t offset = 0; plan_next(&plan, &offset, &operation);)
            sum += strlen(operation.path) + operation.data_length;
        if (sum == SIZE_MAX) abort();
    }
    free(exact);
}

static void fuzz_exec(struct fuzz *fuzz, const int pair[2], struct wire_message *message)
{
    static const char strings[] = "/workspace\0echo\0hi\0A=1";
    unsigned char packet[sizeof(struct wire_header) + sizeof(struct wire_exec) + sizeof strings];
    struct wire_header header = {
        .version = WIRE_VERSION,
        .type = WIRE_EXEC,
        .length = sizeof packet - sizeof header,
        .id = 1,
        .fd_count = 3,
    };
    struct wire_exec exec = {
        .size = sizeof exec,
        .flags = EXEC_STDIN_NULL,
        .wall_ns = 1,
        .argc = 2,
        .envc = 1,
        .strings_bytes = sizeof strings,
        .extra_fds = 1,
    };
    memcpy(packet, &header, sizeof header);
    memcpy(packet + sizeof header, &exec, sizeof exec);
    memcpy(packet + sizeof header + sizeof exec, strings, sizeof strings);
    mutate(fuzz, packet, sizeof packet);
    int fds[3] = {0, 1, 2};
    cordon_send(pair[0], packet, draw(fuzz, 8) == 0 ? draw(fuzz, sizeof packet) + 1 : sizeof packet, fds,
                draw(fuzz, 8) == 0 ? draw(fuzz, 4) : 3);
    if (wire_receive(pair[1], message, MSG_DONTWAIT) != 1) return;
    struct command command;
    if (command_parse(&command, message) == 0) {
        fuzz->accepted++;
        for (uint32_t i = 0; i < command.exec->extra_fds; i++)
            if (command.extra[i] < 0) abort();
    }
    command_free(&command);
    wire_close_fds(message);
}

static void fuzz_rules(struct fuzz *fuzz)
{
    struct observe_rule rules[3] = {{.syscall = 1}, {.syscall = 41, .masks = {~0ull}}, {.syscall = 435, .error = 38}};
    mutate(fuzz, (unsigned char *)rules, sizeof rules);
    size_t length = draw(fuzz, 8) == 0 ? draw(fuzz, sizeof rules + 1) : sizeof rules;
    int fd = cordon_sealed("rules", rules, length);
    int error;
    struct observer *observer = observer_open(fd, &error);
    if ((observer == NULL) != (error < 0)) abort();
    if (observer != NULL) fuzz->accepted++;
    free(observer);
    close(fd);
}

/* What the agent in a machine hears: a message with two attachments, at the end of memory that ASan watches. */
static void fuzz_frame(struct fuzz *fuzz)
{
    unsigned char bytes[sizeof(struct guest_header) + sizeof(struct guest_message) + 32] = {0};
    struct guest_header header = {.magic = GUEST_MAGIC,
                                  .version = GUEST_VERSION,
                                  .type = GUEST_MESSAGE,
                                  .length = sizeof bytes - sizeof header};
    struct guest_message sent = {
        .size = sizeof sent,
        .type = WIRE_OPEN,
        .attachment_count = 2,
        .attachments = {{ATTACH_CONTENT, 1}, {ATTACH_FROM_GUEST, 2}},
    };
    memcpy(bytes, &header, sizeof header);
    memcpy(bytes + sizeof header, &sent, sizeof sent);
    mutate(fuzz, bytes, sizeof bytes);
    size_t length = draw(fuzz, 8) == 0 ? draw(fuzz, sizeof bytes + 1) : sizeof bytes;
    unsigned char *exact = malloc(length == 0 ? 1 : length);
    memcpy(exact, bytes, length);
    struct frame frame;
    long whole = frame_parse(exact, length, &frame);
    if (whole > (long)length) abort();
    struct guest_message message;
    struct guest_renew renew;
    const unsigned char *body;
    size_t body_length;
    if (whole > 0 && frame_copy(&frame, &renew, sizeof renew) && renew.size != sizeof renew) abort();
    if (whole > 0 && frame_message(&frame, &message, &body, &body_length)) {
        fuzz->accepted++;
        if (message.attachment_count > WIRE_MAX_FDS || body + body_length > exact + length) abort();
    }
    free(exact);
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

int main(void)
{
    struct tap tap = {0};
    uint64_t seed = setting("CORDON_FUZZ_SEED", clock_now() | 1);
    uint64_t end = clock_now() + setting("CORDON_FUZZ_SECONDS", 30) * 1000000000u;
    struct fuzz fuzz = {.state = seed};
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) return 1;
    struct wire_message *message = calloc(1, sizeof *message);
    printf("# seed %llu\n", (unsigned long long)seed);
    for (; clock_now() < end; fuzz.rounds++) {
        fuzz_plan(&fuzz);
        fuzz_exec(&fuzz, pair, message);
        fuzz_frame(&fuzz);
        if (fuzz.rounds % 16 == 0) fuzz_rules(&fuzz); /* half a megabyte each */
    }
    free(message);
    tap_ok(&tap, fuzz.accepted > 0 && fuzz.accepted < 4 * fuzz.rounds,
           "%llu rounds without a crash, %llu inputs accepted", (unsigned long long)fuzz.rounds,
           (unsigned long long)fuzz.accepted);
    return tap_end(&tap);
}
