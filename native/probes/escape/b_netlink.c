/* b_netlink.c - sockets of netlink, and what can be done with one: B-15. */
#include "probe.h"

#include <arpa/inet.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PROTOCOLS 23
#define ELSEWHERE "198.51.100.7" /* documentation (RFC 5737); only a namespace of the probe's own sees it */
#define LOOPBACK  1              /* lo is the first everywhere */

struct request {
    struct nlmsghdr header;
    union {
        struct ifinfomsg link;
        struct ifaddrmsg address;
        struct rtmsg route;
        struct fib_rule_hdr rule;
    } body;
    char attributes[64];
};

static void request_begin(struct request *request, int type, size_t body)
{
    memset(request, 0, sizeof *request);
    request->header.nlmsg_type = (uint16_t)type;
    request->header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE;
    request->header.nlmsg_len = (uint32_t)NLMSG_LENGTH(body);
}

static void request_add(struct request *request, int type, const void *value, size_t length)
{
    struct rtattr *attribute = (struct rtattr *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));
    attribute->rta_type = (uint16_t)type;
    attribute->rta_len = (uint16_t)RTA_LENGTH(length);
    memcpy(RTA_DATA(attribute), value, length);
    request->header.nlmsg_len = (uint32_t)(NLMSG_ALIGN(request->header.nlmsg_len) + RTA_ALIGN(attribute->rta_len));
}

/* Sends a request and waits for its answer; 0, or -1 with the errno of the answer. */
static long request_send(const struct request *request)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[512];
    } answer = {{0}, {0}, {0}};
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (fd < 0) return -1;
    ssize_t got = send(fd, request, request->header.nlmsg_len, 0);
    if (got >= 0) got = recv(fd, &answer, sizeof answer, 0);
    int error = got < 0 ? errno : answer.header.nlmsg_type == NLMSG_ERROR ? -answer.error.error : EPROTO;
    close(fd);
    errno = error;
    return error == 0 ? 0 : -1;
}

static void tell_request(struct trial *trial, const char *attempt, const struct request *request)
{
    tell_call(trial, attempt, request_send(request));
}

/* Four things that a capability allows, in a namespace whose root the control is. */
static void change_network(struct trial *trial, const void *unused)
{
    (void)unused;
    if (trial->control && own_namespaces(CLONE_NEWNET) < 0) {
        tell_denied(trial, "a link", errno);
        return;
    }
    struct request request;
    struct in_addr elsewhere;
    inet_pton(AF_INET, ELSEWHERE, &elsewhere);

    request_begin(&request, RTM_NEWLINK, sizeof request.body.link);
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
    request.body.link = (struct ifinfomsg){.ifi_index = LOOPBACK, .ifi_flags = IFF_UP, .ifi_change = IFF_UP};
    request_add(&request, IFLA_MTU, &(uint32_t){1400}, sizeof(uint32_t));
    tell_request(trial, "a link", &request);

    request_begin(&request, RTM_NEWADDR, sizeof request.body.address);
    request.body.address = (struct ifaddrmsg){.ifa_family = AF_INET, .ifa_prefixlen = 32, .ifa_index = LOOPBACK};
    request_add(&request, IFA_LOCAL, &elsewhere, sizeof elsewhere);
    tell_request(trial, "an address", &request);

    request_begin(&request, RTM_NEWROUTE, sizeof request.body.route);
    request.body.route = (struct rtmsg){.rtm_family = AF_INET,
                                        .rtm_dst_len = 24,
                                        .rtm_table = RT_TABLE_MAIN,
                                        .rtm_protocol = RTPROT_BOOT,
                                        .rtm_scope = RT_SCOPE_LINK,
                                        .rtm_type = RTN_UNICAST};
    elsewhere.s_addr &= htonl(0xffffff00);
    request_add(&request, RTA_DST, &elsewhere, sizeof elsewhere);
    request_add(&request, RTA_OIF, &(uint32_t){LOOPBACK}, sizeof(uint32_t));
    tell_request(trial, "a route", &request);

    request_begin(&request, RTM_NEWRULE, sizeof request.body.rule);
    request.body.rule = (struct fib_rule_hdr){.family = AF_INET, .table = RT_TABLE_MAIN, .action = FR_ACT_TO_TBL};
    request_add(&request, FRA_PRIORITY, &(uint32_t){1000}, sizeof(uint32_t));
    tell_request(trial, "a rule", &request);
}

/* A message to a process: to another socket of the probe's own. */
static void speak(struct trial *trial, const void *unused)
{
    (void)unused;
    if (trial->control && own_namespaces(CLONE_NEWNET) < 0) {
        tell_denied(trial, "a message to a process", errno);
        return;
    }
    struct sockaddr_nl place = {.nl_family = AF_NETLINK};
    socklen_t size = sizeof place;
    int other = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    long sent = -1;
    if (other >= 0 && fd >= 0 && bind(other, (struct sockaddr *)&place, size) == 0 &&
        getsockname(other, (struct sockaddr *)&place, &size) == 0)
        sent = sendto(fd, &(struct nlmsghdr){.nlmsg_len = NLMSG_HDRLEN}, NLMSG_HDRLEN, 0, (struct sockaddr *)&place,
                      size);
    tell_call(trial, "a message to a process", sent < 0 ? -1 : 0);
}

static void use_netlink(struct trial *trial)
{
    for (int protocol = NETLINK_ROUTE; protocol < PROTOCOLS; protocol++) {
        char attempt[32];
        snprintf(attempt, sizeof attempt, "protocol %d", protocol);
        int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
        tell_call(trial, attempt, fd);
        if (fd >= 0) close(fd);
    }
    try_in_child(trial, "changes", change_network, NULL);
    try_in_child(trial, "messages", speak, NULL);
}

const struct probe B_NETLINK[] = {{"B-15", "sockets of netlink", use_netlink}, {NULL, NULL, NULL}};
