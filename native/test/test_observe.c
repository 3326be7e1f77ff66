/* test_observe.c - a command's calls are told once for each kind, and let through or answered as the rules say. */
#include "cordon.h"
#include "observe.h"
#include "sys.h"
#include "tap.h"
#include "wire.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

static struct observer *open_rules(const struct observe_rule *rules, size_t bytes, int *error)
{
    int fd = cordon_sealed("rules", rules, bytes);
    struct observer *observer = observer_open(fd, error);
    close(fd);
    return observer;
}

static void test_rules(struct tap *tap)
{
    int error;
    struct observe_rule rules[2] = {{.syscall = 1, .masks = {1}}, {.syscall = 41, .error = 38}};
    struct observer *observer = open_rules(rules, sizeof rules, &error);
    tap_ok(tap, observer != NULL && error == 0, "rules are read");
    free(observer);
    observer = open_rules(rules, 0, &error);
    tap_ok(tap, observer != NULL, "there may be none");
    free(observer);
    tap_ok(tap, open_rules(rules, sizeof rules - 1, &error) == NULL && error == -EPROTO, "half a rule is refused");
    rules[1].syscall = OBSERVE_MAX_SYSCALL;
    tap_ok(tap, open_rules(rules, sizeof rules, &error) == NULL && error == -EPROTO, "a call too high is refused");
    rules[1].syscall = 41;
    rules[1].error = 4096;
    tap_ok(tap, open_rules(rules, sizeof rules, &error) == NULL && error == -EPROTO, "no errno is refused");
    int plain = memfd_create("unsealed", MFD_CLOEXEC);
    tap_ok(tap, observer_open(plain, &error) == NULL && error == -EPROTO, "what is not sealed is refused");
    close(plain);
}

/* The command: becomes observed, then makes calls whose answers say by its exit code whether they were as they ought.
 */
static _Noreturn void act(int control)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (observed_become(control) < 0) _exit(100);
    int wrong = 0;
    for (int i = 0; i < 3; i++)
        wrong |= syscall(SYS_getpid) <= 0;
    for (int i = 0; i < 400; i++)
        wrong |= syscall(SYS_getpriority, 0x10 | (i % 3), 0) != -1;
    for (int i = 0; i < 400; i++)
        syscall(SYS_dup, 1000 + i);
    wrong |= syscall(SYS_getppid) != -1 || errno != ENOSYS;
    wrong |= syscall(2000) != -1 || errno != ENOSYS;
    wrong |= prctl(PR_SET_SECCOMP, 2, 0, 0, 0) != -1 || errno != EPERM;
    _exit(wrong ? 1 : 7);
}

struct counts {
    int total;
    int getpid, getpriority, dup, more, getppid, other;
    int named;
};

static void count(struct counts *counts, const struct wire_observed *observed)
{
    counts->total++;
    counts->more += (observed->flags & OBSERVED_MORE) != 0;
    counts->named += strcmp(observed->comm, "test_observe") == 0;
    switch (observed->syscall) {
    case SYS_getpid:
        counts->getpid++;
        break;
    case SYS_getpriority:
        counts->getpriority++;
        break;
    case SYS_dup:
        counts->dup++;
        break;
    case SYS_getppid:
        counts->getppid++;
        break;
    default:
        counts->other++;
    }
}

static void watch(struct observer *observer, int listener, struct counts *counts)
{
    observer_attach(listener);
    for (;;) {
        struct pollfd watched = {.fd = listener, .events = POLLIN};
        poll(&watched, 1, -1);
        if (!(watched.revents & POLLIN)) return;
        struct wire_observed observed;
        if (observer_take(observer, listener, &observed)) count(counts, &observed);
    }
}

static void test_watching(struct tap *tap)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) abort();
    struct observe_rule rules[] = {
        {.syscall = SYS_getpriority, .masks = {0xffffffff}},
        {.syscall = SYS_dup, .masks = {0xffffffff}},
        {.syscall = SYS_getppid, .error = ENOSYS},
    };
    int error;
    struct observer *observer = open_rules(rules, sizeof rules, &error);
    pid_t pid = fork();
    if (pid == 0) act(pair[1]);
    close(pair[1]);
    struct wire_message *message = calloc(1, sizeof *message);
    int received = wire_receive(pair[0], message, 0);
    tap_ok(tap, received == 1 && message->header.type == WIRE_LISTENER && message->fd_count == 1,
           "the listener comes out past its own filter");
    struct counts counts = {0};
    int listener = wire_take_fd(message, 0);
    watch(observer, listener, &counts);
    int status = 0;
    waitpid(pid, &status, 0);
    tap_ok(tap, WIFEXITED(status) && WEXITSTATUS(status) == 7, "calls pass, or are answered as the rules say: %#x",
           (unsigned)status);
    tap_ok(tap, counts.getpid == 1 && counts.getppid == 1, "a call is told once, also one that is refused");
    tap_ok(tap, counts.getpriority == 3, "and once for each kind of arguments");
    tap_ok(tap, counts.dup == OBSERVE_MAX_KINDS + 1 && counts.more == 1, "too many kinds are told as one");
    tap_ok(tap, counts.named == counts.total, "who made it is told");
    close(listener);
    close(pair[0]);
    free(message);
    free(observer);
}

int main(void)
{
    struct tap tap = {0};
    test_rules(&tap);
    test_watching(&tap);
    return tap_end(&tap);
}
