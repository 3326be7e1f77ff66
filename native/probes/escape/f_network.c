/* f_network.c - packets out of and into the jail: F-01, F-08. */
#include "probe.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Addresses of documentation (RFC 5737, RFC 3849): they belong to nobody, and only namespaces of our own ever see
 * them. */
#define ELSEWHERE    "198.51.100.7"
#define ELSEWHERE_V6 "2001:db8::7"
#define MULTICAST    "224.0.0.251"
#define BROADCAST    "255.255.255.255"
#define PORT         7

/* ---- F-01 ---- */

union any_address {
    struct sockaddr plain;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static socklen_t make_address(union any_address *address, const char *text, long port)
{
    memset(address, 0, sizeof *address);
    if (strchr(text, ':') != NULL) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons((uint16_t)port);
        inet_pton(AF_INET6, text, &address->v6.sin6_addr);
        return sizeof address->v6;
    }
    address->v4.sin_family = AF_INET;
    address->v4.sin_port = htons((uint16_t)port);
    inet_pton(AF_INET, text, &address->v4.sin_addr);
    return sizeof address->v4;
}

/* Connects or sends; 0 when it went through. */
static long reach(const char *text, long port, int type, int protocol)
{
    union any_address address;
    socklen_t length = make_address(&address, text, port);
    int fd = socket(address.plain.sa_family, type | SOCK_CLOEXEC, protocol), on = 1;
    if (fd < 0) return -1;
    if (strcmp(text, BROADCAST) == 0) setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
    static const char echo[8] = {8}; /* an ICMP echo request, for those sockets that want one */
    long done = type == SOCK_STREAM ? connect(fd, &address.plain, length)
                                    : (sendto(fd, echo, sizeof echo, 0, &address.plain, length) < 0 ? -1 : 0);
    int error = errno;
    close(fd);
    errno = error;
    return done;
}

/* Names beside lo, by the one way that needs no netlink. */
static int count_interfaces(char *first, size_t room)
{
    struct ifreq entries[32];
    struct ifconf all = {.ifc_len = sizeof entries, .ifc_req = entries};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), others = 0;
    if (fd < 0) return 0;
    if (ioctl(fd, SIOCGIFCONF, &all) < 0) all.ifc_len = 0;
    close(fd);
    for (size_t i = 0; i < (size_t)all.ifc_len / sizeof *entries; i++)
        if (strncmp(entries[i].ifr_name, "lo", 2) != 0 && others++ == 0)
            snprintf(first, room, "%s", entries[i].ifr_name);
    return others;
}

static int set_address(int fd, struct ifreq *request, unsigned long command, const char *text)
{
    union any_address address;
    make_address(&address, text, 0);
    memcpy(&request->ifr_addr, &address.plain, sizeof address.v4);
    return ioctl(fd, command, request);
}

/* The control's internet: a namespace where loopback has an address of elsewhere and a route for all others. */
static int make_internet(void)
{
    if (own_namespaces(CLONE_NEWNET) < 0) return -1;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq loopback = {.ifr_name = "lo"}, second = {.ifr_name = "lo:1"};
    loopback.ifr_flags = IFF_UP | IFF_RUNNING;
    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &loopback) < 0) return -1;
    if (set_address(fd, &second, SIOCSIFADDR, ELSEWHERE) < 0) return -1;
    union any_address any;
    make_address(&any, "0.0.0.0", 0);
    struct rtentry route = {.rt_flags = RTF_UP, .rt_dev = (char *)"lo"};
    memcpy(&route.rt_dst, &any.plain, sizeof any.v4);
    memcpy(&route.rt_genmask, &any.plain, sizeof any.v4);
    int done = ioctl(fd, SIOCADDRT, &route);
    close(fd);
    return done;
}

/* A kernel without IPv6 refuses the attempt as well as this. */
static void make_internet_v6(void)
{
    struct {
        struct in6_addr address;
        uint32_t prefix;
        int interface;
    } request = {.prefix = 128, .interface = 1 /* lo is the first everywhere */};
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    inet_pton(AF_INET6, ELSEWHERE_V6, &request.address);
    ioctl(fd, SIOCSIFADDR, &request);
    close(fd);
}

static int listen_elsewhere(void)
{
    union any_address address;
    socklen_t length = make_address(&address, ELSEWHERE, PORT);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && bind(fd, &address.plain, length) == 0 ? listen(fd, 1) : -1;
}

static void reach_elsewhere(struct trial *trial, const void *unused)
{
    (void)unused;
    char first[IFNAMSIZ] = "";
    if (trial->control && (make_internet() < 0 || listen_elsewhere() < 0)) {
        tell_denied(trial, "TCP elsewhere", errno);
        return;
    }
    if (trial->control) make_internet_v6();
    /* Whoever has a way out is not to use it: that it is there is enough. */
    int others = count_interfaces(first, sizeof first);
    if (others > 0) {
        tell_escaped(trial, "interfaces", "%d beside lo, the first is %s", others, first);
        return;
    }
    tell_call(trial, "TCP elsewhere", reach(ELSEWHERE, PORT, SOCK_STREAM, 0));
    tell_call(trial, "UDP elsewhere", reach(ELSEWHERE, PORT, SOCK_DGRAM, 0));
    tell_call(trial, "multicast", reach(MULTICAST, PORT, SOCK_DGRAM, 0));
    tell_call(trial, "broadcast", reach(BROADCAST, PORT, SOCK_DGRAM, 0));
    tell_call(trial, "raw IPv4", reach(ELSEWHERE, 0, SOCK_RAW, IPPROTO_ICMP));
    tell_call(trial, "UDP over IPv6", reach(ELSEWHERE_V6, PORT, SOCK_DGRAM, 0));
}

/* Argument: a port on which the harness listens on the host's loopback, TCP and UDP, IPv4 and IPv6. */
static void reach_host(struct trial *trial)
{
    long port = argument_number(trial, 0, PORT);
    tell_call(trial, "TCP to the host", reach("127.0.0.1", port, SOCK_STREAM, 0));
    long sent = reach("127.0.0.1", port, SOCK_DGRAM, 0);
    /* To its own loopback a packet can always be sent; whether it reached the host, the harness knows. */
    if (sent == 0 && !trial->control)
        tell_denied_as(trial, "UDP to the host", "sent on a loopback: the harness says whether it arrived");
    else
        tell_call(trial, "UDP to the host", sent);
    tell_call(trial, "TCP over IPv6 to the host", reach("::1", port, SOCK_STREAM, 0));
}

static void count_links(struct trial *trial)
{
    char first[IFNAMSIZ] = "";
    int others = count_interfaces(first, sizeof first);
    if (others > 0)
        tell_escaped(trial, "interfaces", "%d beside lo, the first is %s", others, first);
    else if (trial->control)
        tell_untried(trial, "interfaces", "this host has none beside lo");
    else
        tell_denied_as(trial, "interfaces", "lo alone");
}

static void send_out(struct trial *trial)
{
    reach_host(trial);
    count_links(trial);
    try_in_child(trial, "elsewhere", reach_elsewhere, NULL);
}

/* ---- F-08: listening where the host could connect. Arguments: the port, the patience in milliseconds ---- */

static void listen_back(struct trial *trial)
{
    union any_address address;
    socklen_t length = make_address(&address, "0.0.0.0", argument_number(trial, 0, 20777));
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, &address.plain, length) < 0 || listen(fd, 4) < 0) {
        tell_denied(trial, "listen", errno);
        return;
    }
    fprintf(stderr, "ready\n");
    struct pollfd guest = {.fd = fd, .events = POLLIN};
    if (poll(&guest, 1, (int)argument_number(trial, 1, 1000)) > 0)
        tell_escaped(trial, "a connection from the host", "it came in");
    else
        tell_denied_as(trial, "a connection from the host", "nobody came");
    close(fd);
}

const struct probe F_NETWORK[] = {
    {"F-01", "packets out of the jail", send_out},
    {"F-08", "connections into the jail", listen_back},
    {NULL, NULL, NULL},
};
