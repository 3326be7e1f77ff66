/* test_copies.c - content that comes through a pipe is in the file, or its sender is told why it is not. */
#include "copies.h"
#include "sys.h"
#include "tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

struct fixture {
    struct copies *copies;
    struct wire_message *message;
    int control[2];
};

static struct fixture open_fixture(void)
{
    struct fixture f = {.copies = calloc(1, sizeof *f.copies), .message = calloc(1, sizeof *f.message)};
    if (f.copies == NULL || f.message == NULL) abort();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, f.control) < 0) abort();
    return f;
}

static void close_fixture(struct fixture *f)
{
    close(f->control[0]);
    close(f->control[1]);
    free(f->copies);
    free(f->message);
}

/* One round of init's loop; how many copies there are. */
static nfds_t turn(struct fixture *f)
{
    struct pollfd watched[MOST_COPIES];
    nfds_t count = copies_watch(f->copies, watched);
    poll(watched, count, 0);
    copies_serve(f->copies, watched, f->control[0]);
    return copies_watch(f->copies, watched);
}

/* What init has said, or NULL. */
static const struct wire_written *said(struct fixture *f, uint32_t id)
{
    if (wire_receive(f->control[1], f->message, MSG_DONTWAIT) != 1) return NULL;
    if (f->message->header.type != WIRE_WRITTEN || f->message->header.id != id) return NULL;
    return wire_body(f->message, sizeof(struct wire_written));
}

static int new_file(void)
{
    return memfd_create("file", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

static void test_content(struct tap *tap)
{
    struct fixture f = open_fixture();
    int file = new_file();
    int pipe = copies_begin(f.copies, 7, dup(file));
    tap_ok(tap, pipe >= 0 && (fcntl(pipe, F_GETFL) & O_NONBLOCK) && (fcntl(pipe, F_GETFD) & FD_CLOEXEC),
           "the end of a pipe that neither blocks nor is inherited");
    tap_ok(tap, turn(&f) == 1 && said(&f, 7) == NULL, "nothing is said while nothing comes");
    static char content[3 * COPY_PIECE];
    memset(content, 'x', sizeof content);
    size_t sent = 0;
    while (sent < sizeof content) {
        ssize_t written = write(pipe, content + sent, sizeof content - sent);
        if (written > 0) sent += (size_t)written;
        turn(&f);
    }
    close(pipe);
    while (turn(&f) > 0) {
    }
    const struct wire_written *written = said(&f, 7);
    tap_ok(tap, written != NULL && written->error == 0 && written->bytes == sizeof content, "its end is told");
    tap_ok(tap, lseek(file, 0, SEEK_END) == (off_t)sizeof content, "all of it is in the file");
    close(file);
    close_fixture(&f);
}

static void test_refusal(struct tap *tap)
{
    struct fixture f = open_fixture();
    int file = new_file();
    fcntl(file, F_ADD_SEALS, F_SEAL_GROW);
    int pipe = copies_begin(f.copies, 8, file);
    ssize_t sent = write(pipe, "content", 7);
    tap_ok(tap, sent == 7 && turn(&f) == 0, "a file that takes nothing ends it");
    const struct wire_written *written = said(&f, 8);
    tap_ok(tap, written != NULL && written->error == EPERM && written->bytes == 0, "the reason is told");
    struct pollfd broken = {.fd = pipe, .events = POLLOUT};
    tap_ok(tap, poll(&broken, 1, 0) == 1 && (broken.revents & POLLERR), "whoever goes on writing finds it broken");
    close(pipe);
    close_fixture(&f);
}

static void test_many(struct tap *tap)
{
    struct fixture f = open_fixture();
    int pipes[MOST_COPIES];
    int begun = 0;
    for (int i = 0; i < MOST_COPIES; i++) {
        pipes[i] = copies_begin(f.copies, (uint32_t)i + 1, new_file());
        begun += pipes[i] >= 0;
    }
    tap_ok(tap, begun == MOST_COPIES && copies_begin(f.copies, 99, new_file()) == -EMFILE, "one too many is refused");
    close(pipes[5]);
    tap_ok(tap, turn(&f) == MOST_COPIES - 1 && said(&f, 6) != NULL, "one that ends leaves the others");
    pipes[5] = copies_begin(f.copies, 99, new_file());
    tap_ok(tap, pipes[5] >= 0, "its place is free again");
    for (int i = 0; i < MOST_COPIES; i++)
        close(pipes[i]);
    tap_ok(tap, turn(&f) == 0, "all end at their pipes' ends");
    close_fixture(&f);
}

int main(void)
{
    struct tap tap = {0};
    test_content(&tap);
    test_refusal(&tap);
    test_many(&tap);
    return tap_end(&tap);
}
