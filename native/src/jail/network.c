/* network.c - the remaining namespaces of the jail: net, uts and cgroup. */
#include "network.h"
#include "sys.h"

#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static int raise_loopback(void)
{
    SCOPED_FD socket_fd = result(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (socket_fd == -EAFNOSUPPORT) return 0; /* a kernel without IPv4 has no loopback to raise */
    if (socket_fd < 0) return socket_fd;
    struct ifreq request = {.ifr_name = "lo"};
    if (ioctl(socket_fd, SIOCGIFFLAGS, &request) < 0) return -errno;
    request.ifr_flags |= IFF_UP;
    return result(ioctl(socket_fd, SIOCSIFFLAGS, &request));
}

int network_raise_loopback(struct jail *jail)
{
    /* A prepared one has it up, and belongs to another user namespace. */
    return jail->netns >= 0 || jail->network != 0 ? 0 : raise_loopback();
}

void network_prepare(struct jail *jail)
{
    if (geteuid() != 0) return; /* init makes it, in its user namespace */
    int error = result(unshare(CLONE_NEWNET));
    if (error >= 0) error = raise_loopback();
    jail->network = error < 0 ? error : 1;
}

int network_join(struct jail *jail)
{
    if (jail->network < 0) return jail->network;
    jail->detail = "a network namespace was prepared for a plan that wants none, or another";
    if (jail->network > 0) return jail_is_namespaced(jail) && jail->netns < 0 ? 0 : -EPROTO;
    jail->detail = "";
    return jail->netns < 0 ? 0 : result(setns(jail->netns, CLONE_NEWNET));
}

int host_set_name(struct jail *jail)
{
    const char *name = jail->plan.header->hostname;
    return result(sethostname(name, strlen(name)));
}

int cgroup_enter(struct jail *jail)
{
    for (unsigned i = 0; i < jail->task_count; i++) {
        jail->operation = i;
        jail->detail = "joining a v1 hierarchy";
        ssize_t written = write(jail->tasks[i], "0", 1);
        if (written != 1) return written < 0 ? -errno : -EIO;
    }
    jail->detail = "unsharing the cgroup namespace";
    /* Only now: taken at clone time, the v1 paths that init came from would show in /proc/self/cgroup. */
    return jail_is_namespaced(jail) ? result(unshare(CLONE_NEWCGROUP)) : 0;
}
