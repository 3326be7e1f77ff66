/* test_guard.c - which calls a guarded sandbox counts, how many are a burst, and how the network's counters are read.
 */
#include "cordon.h"
#include "guard.h"
#include "sys.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <sys/wait.h>
#include <signal.h>

static int open_order(struct guard *guard, const struct guard_order *order, size_t bytes)
{
    memset(guard, 0, sizeof *guard);
    int fd = cordon_sealed("order", order, bytes);
    int error = guard_open(guard, fd);
    close(fd);
    return error;
}

static void test_orders(struct tap *tap)
{
    struct guard guard;
    struct guard_order order = {.burst = 3, .counted = {[2] = (uint64_t)1 << 33}};
    tap_ok(tap, open_order(&guard, &order, sizeof order) == 0 && guard.burst == 3, "an order is read");
    tap_ok(tap, guard_counts(&guard, 161) && !guard_counts(&guard, 160) && !guard_counts(&guard, 33),
           "one call counts");
    tap_ok(tap, !guard_counts(&guard, -1) && !guard_counts(&guard, OBSERVE_MAX_SYSCALL),
           "no call beyond the order counts");
    tap_ok(tap, !guard_burst(&guard) && !guard_burst(&guard) && guard_burst(&guard), "the third of three is a burst");
    tap_ok(tap, open_order(&guard, &order, sizeof order - 1) == -EPROTO, "half an order is refused");
    order.burst = 0;
    tap_ok(tap, open_order(&guard, &order, sizeof order) == -EPROTO, "a burst of none is refused");
    int open_file = memfd_create("order", MFD_CLOEXEC);
    tap_ok(tap, guard_open(&guard, open_file) == -EPROTO, "an order that may change is refused");
    close(open_file);
    memset(&guard, 0, sizeof guard);
    tap_ok(tap, !guard_counts(&guard, 0), "a sandbox that is not guarded counts nothing");
}

static void test_counters(struct tap *tap)
{
    static const char text[] =
        "Ip: Forwarding OutNoRoutesToo OutNoRoutes Last\nIp: 2 5 17 9\nIcmp: OutNoRoutes\nIcmp: 4\n";
    tap_ok(tap, guard_column(text, "OutNoRoutes") == 17, "the number below the name");
    tap_ok(tap, guard_column(text, "Forwarding") == 2 && guard_column(text, "Last") == 9, "the first and the last");
    tap_ok(tap, guard_column(text, "Absent") == 0 && guard_column("", "Last") == 0, "none");
    tap_ok(tap, guard_column("Ip: Last\nIp:", "Last") == 0 && guard_column("Ip: Last", "Last") == 0, "half a table");
    struct guard guard = {.burst = 1};
    tap_ok(tap, !guard_reached_out(&guard), "nothing before the first command");
    tap_ok(tap, guard_begin(&guard, getpid()) == 0 && guard.begun, "begun");
    struct guard other = {.burst = 1};
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    int begun = guard_begin(&other, child);
    char first;
    if (child < 0 || kill(child, SIGKILL) < 0 || waitpid(child, NULL, 0) != child) abort();
    tap_ok(tap, begun == 0 && pread(other.counters[0], &first, 1, 0) == 1, "the counters outlive init");
    other = (struct guard){.burst = 1};
    tap_ok(tap, guard_begin(&other, child) == -ENOENT && !other.begun, "of one that is gone none are read");
}

int main(void)
{
    struct tap tap = {0};
    test_orders(&tap);
    test_counters(&tap);
    return tap_end(&tap);
}
