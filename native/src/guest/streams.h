/* streams.h - bytes between the host and pipes, files, terminals and directories of the guest. */
#ifndef GUEST_STREAMS_H
#define GUEST_STREAMS_H

#include "port.h"

#include <dirent.h>
#include <poll.h>

struct stream {
    uint32_t id;
    enum guest_attachment_kind kind; /* 0: free */
    int fd;                          /* -1: closed */
    DIR *listing;
    uint32_t credit; /* bytes that may be sent to the host */
    int end_sent;
    int end_received;
    int error; /* told with END */
    size_t start;
    size_t length; /* bytes from the host that wait in `buffer` */
    unsigned char *buffer;
};

struct streams {
    struct port *port;
    uint32_t next_id;
    uint32_t count; /* highest used place + 1 */
    struct stream all[GUEST_MAX_STREAMS];
};

/* Adds a stream; takes over `fd`, closing it on failure. 0, or -errno. */
int streams_add(struct streams *streams, uint32_t id, enum guest_attachment_kind kind, int fd);

/* Adds a stream of ours for a descriptor that goes out to the host, by what the descriptor is. */
int streams_give(struct streams *streams, int fd, int terminal, struct guest_attachment *attachment);

/* Frames about streams. 0, or -EPROTO. */
int streams_receive(struct streams *streams, const struct frame *frame);

/* Fills in what is to be waited for: `polls` has room for GUEST_MAX_STREAMS. Sets *eager when work waits for nobody.
 */
nfds_t streams_watch(struct streams *streams, struct pollfd *polls, uint32_t *owners, int *eager);

/* Moves bytes of a stream after a poll. */
void streams_serve(struct streams *streams, uint32_t index, short events);

/* Works that need no poll: listings. */
void streams_serve_listings(struct streams *streams);

#endif
