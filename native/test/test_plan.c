/* test_plan.c - what a plan may say, and that everything else is refused before anything is done. */
#include "plan.h"
#include "plans.h"
#include "tap.h"

#include <stdlib.h>

static int check(const struct plan_buffer *buffer, size_t length)
{
    /* An allocation of exactly this size, so that the sanitizer sees a read past the end. */
    unsigned char *exact = malloc(length == 0 ? 1 : length);
    memcpy(exact, buffer->bytes, length);
    struct plan plan;
    const char *why;
    int checked = plan_check(&plan, exact, length, &why);
    free(exact);
    return checked;
}

static void test_good(struct tap *tap)
{
    struct plan_buffer buffer;
    plan_begin(&buffer);
    plan_add(&buffer, OP_DIR, "/usr", NULL);
    plan_add(&buffer, OP_BIND, "/usr", "/usr");
    plan_add(&buffer, OP_SEAL, "/", NULL);
    struct plan plan;
    const char *why;
    tap_ok(tap, plan_check(&plan, buffer.bytes, buffer.length, &why) == 0,
           "a plan with three operations is accepted");
    struct operation operation;
    uint32_t count = 0;
    int in_order = 1;
    static const uint16_t codes[] = {OP_DIR, OP_BIND, OP_SEAL};
    for (size_t offset = 0; plan_next(&plan, &offset, &operation); count++)
        in_order &= operation.index == count && operation.op->code == codes[count];
    tap_ok(tap, count == 3 && in_order, "its operations come back in order");
}

static void test_cut(struct tap *tap)
{
    struct plan_buffer buffer;
    plan_begin(&buffer);
    plan_add(&buffer, OP_BIND, "/usr", "/usr");
    int accepted = 0;
    for (size_t length = 0; length < buffer.length; length++)
        accepted += check(&buffer, length) == 0;
    tap_ok(tap, accepted == 0, "a plan cut at any byte is refused");
}

static void test_headers(struct tap *tap)
{
    struct {
        const char *name;
        size_t offset;
        uint32_t value;
    } cases[] = {
        {"magic", offsetof(struct plan_header, magic), 1},
        {"version", offsetof(struct plan_header, version), 2},
        {"length", offsetof(struct plan_header, length), 8},
        {"operation count", offsetof(struct plan_header, op_count), 1},
        {"huge operation count", offsetof(struct plan_header, op_count), UINT32_MAX},
        {"isolation", offsetof(struct plan_header, isolation), 9},
        {"ids", offsetof(struct plan_header, ids), 0},
        {"uid 0 inside", offsetof(struct plan_header, inside_uid), 0},
        {"gid 0 inside", offsetof(struct plan_header, inside_gid), 0},
        {"uid 0 on the host", offsetof(struct plan_header, host_uid), 0},
        {"gid 0 on the host", offsetof(struct plan_header, host_gid), 0},
        {"root size 0", offsetof(struct plan_header, root_bytes), 0},
        {"root inodes 0", offsetof(struct plan_header, root_inodes), 0},
        {"no deadline", offsetof(struct plan_header, setup_ns), 0},
        {"a fault in a production build", offsetof(struct plan_header, fault_stage), 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan_buffer buffer;
        plan_begin(&buffer);
        memcpy(buffer.bytes + cases[i].offset, &cases[i].value, sizeof cases[i].value);
        tap_ok(tap, check(&buffer, buffer.length) < 0, "a wrong header is refused: %s", cases[i].name);
    }
    struct plan_buffer buffer;
    struct plan_header *header = plan_begin(&buffer);
    memset(header->hostname, 'x', sizeof header->hostname);
    tap_ok(tap, check(&buffer, buffer.length) < 0, "an unterminated host name is refused");
}

static void test_operations(struct tap *tap)
{
    static const char *const bad_paths[] = {"",        "usr",     "/usr/", "//usr",   "/usr//x",
                                            "/usr/..", "/../etc", "/.",    "/usr/./x"};
    for (size_t i = 0; i < sizeof bad_paths / sizeof *bad_paths; i++) {
        struct plan_buffer buffer;
        plan_begin(&buffer);
        plan_add(&buffer, OP_DIR, bad_paths[i], NULL);
        tap_ok(tap, check(&buffer, buffer.length) < 0, "the path '%s' is refused", bad_paths[i]);
    }
    struct plan_buffer buffer;
    plan_begin(&buffer);
    plan_add(&buffer, OP_MAX + 1, "/x", NULL);
    tap_ok(tap, check(&buffer, buffer.length) < 0, "an unknown operation is refused");
    plan_begin(&buffer);
    plan_add(&buffer, OP_BIND, "/x", NULL);
    tap_ok(tap, check(&buffer, buffer.length) < 0, "a bind without a source is refused");
    plan_begin(&buffer);
    plan_add(&buffer, OP_BIND, "/", "/y");
    tap_ok(tap, check(&buffer, buffer.length) < 0, "a bind over the root is refused: it would hide what is there");
    plan_begin(&buffer);
    struct plan_op *image = plan_add(&buffer, OP_BIND, "/", "/y");
    image->flags = BIND_OWN;
    image->bytes = 2;
    tap_ok(tap, check(&buffer, buffer.length) == 0, "a layer below the root is accepted");
    plan_begin(&buffer);
    plan_add(&buffer, OP_TMPFS, "/x", NULL)->inodes = 10;
    tap_ok(tap, check(&buffer, buffer.length) < 0, "a tmpfs of size 0 is refused: it would be unlimited");
    plan_begin(&buffer);
    plan_add(&buffer, OP_TMPFS, "/x", NULL)->bytes = 4096;
    tap_ok(tap, check(&buffer, buffer.length) < 0, "a tmpfs without an inode limit is refused");
    plan_begin(&buffer);
    plan_add(&buffer, OP_DIR, "/x", NULL)->mode = 0100755;
    tap_ok(tap, check(&buffer, buffer.length) < 0, "a mode with type bits is refused");
    plan_begin(&buffer);
    plan_add(&buffer, OP_DIR, "/x", NULL)->path_bytes = UINT32_MAX;
    tap_ok(tap, check(&buffer, buffer.length) < 0, "a path length past the end is refused");
    plan_begin(&buffer);
    plan_add(&buffer, OP_BIND, "/x", "/y")->data_bytes = UINT32_MAX - 8;
    tap_ok(tap, check(&buffer, buffer.length) < 0, "a text length past the end is refused");
}

int main(void)
{
    struct tap tap = {0};
    test_good(&tap);
    test_cut(&tap);
    test_headers(&tap);
    test_operations(&tap);
    return tap_end(&tap);
}
