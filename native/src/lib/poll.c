/* poll.c - the epoll set behind the reactor's one blocking call. */
#include "cordon.h"

#include <errno.h>
#include <sys/epoll.h>

#define MAX_EVENTS 128

int32_t cordon_poll_open(void)
{
    int poll = epoll_create1(EPOLL_CLOEXEC);
    return poll < 0 ? -errno : poll;
}

int32_t cordon_poll_set(int32_t poll, int32_t fd, uint32_t events, uint64_t token)
{
    struct epoll_event event = {.events = events, .data.u64 = token};
    if (events == 0) {
        int removed = epoll_ctl(poll, EPOLL_CTL_DEL, fd, &event);
        return removed < 0 && errno != ENOENT ? -errno : 0;
    }
    if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event) == 0) return 0; /* most are new, and are waited for soon */
    if (errno != EEXIST) return -errno;
    return epoll_ctl(poll, EPOLL_CTL_MOD, fd, &event) < 0 ? -errno : 0;
}

int32_t cordon_poll_wait(int32_t poll, struct cordon_event *events, uint32_t capacity, int32_t timeout_ms)
{
    struct epoll_event ready[MAX_EVENTS];
    int room = capacity > MAX_EVENTS ? MAX_EVENTS : (int)capacity;
    int count = epoll_wait(poll, ready, room, timeout_ms);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++)
        events[i] = (struct cordon_event){.token = ready[i].data.u64, .events = ready[i].events};
    return count;
}
