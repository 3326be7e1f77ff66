/* sandbox.h - the one supervisor of this machine, and the messages to and from it. */
#ifndef GUEST_SANDBOX_H
#define GUEST_SANDBOX_H

#include "streams.h"
#include "wire.h"

#include <sys/types.h>

#define CONTENT_PLACES 32

/* Content that arrived, or is arriving. */
struct content {
    uint32_t id;
    uint32_t total;
    uint32_t length;
    int fd; /* 0: free */
};

struct sandbox {
    int program;  /* cordon-supervisor */
    int socket;   /* -1: not started, or over */
    pid_t pid;    /* 0: not started, or reaped */
    int parked;   /* `request` waits for room in the socket */
    int grounded; /* the limits are those of the job that comes */
    int stands;   /* `ready` was said */
    struct wire_ready ready;
    struct content contents[CONTENT_PLACES];
    struct wire_message request;
    struct wire_message reply;
};

/* A piece of content. 0, or -errno: -EPROTO when the host broke a rule. */
int sandbox_content(struct sandbox *sandbox, const struct frame *frame);

/* A message of the host's: its attachments become descriptors, and it goes to the supervisor. 0, or -errno. */
int sandbox_message(struct sandbox *sandbox, struct streams *streams, const struct frame *frame);

/* Sends the parked message when there is room. */
void sandbox_flush(struct sandbox *sandbox);

/* Says again that the jail stands, to a host that has not heard it. */
void sandbox_tell_ready(const struct sandbox *sandbox, struct port *port);

/* Passes one message of the supervisor's on to the host. Closes the socket at its end. */
void sandbox_relay(struct sandbox *sandbox, struct streams *streams);

#endif
