/* network.c - the remaining namespaces of the jail: net, uts and cgroup. */
#include "network.h"
#include "sys.h"

#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int network_raise_loopback(struct jail *jail)
{
    if (jail->netns >= 0) return 0; /* a prepared one has it up, and belongs to another user namespace */
    SCOPED_FD socket_fd = result(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (socket_fd == -EAFNOSUPPORT) return 0; /* a kernel without IPv4 has no loopback to raise */
    if (socket_fd < 0) return socket_fd;
    struct ifreq request = {.ifr_name = "lo"};
    if (ioctl(socket_fd, SIOCGIFFLAGS, &request) < 0) return -errno;
    request.ifr_flags |= IFF_UP;
    return result(ioctl(socket_fd, SIOCSIFFLAGS, &request));
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
