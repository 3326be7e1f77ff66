/* port.h - the channel to the host: a virtio-serial port with a buffer each way. */
#ifndef GUEST_PORT_H
#define GUEST_PORT_H

#include "frame.h"

#define PORT_ROOM (4 * (GUEST_MAX_BODY + (int)sizeof(struct guest_header)))

struct port {
    int fd;
    size_t in_length;
    size_t in_taken; /* bytes of `in` that were frames and are done with */
    size_t out_start;
    size_t out_length; /* waiting, from out_start */
    unsigned char in[PORT_ROOM];
    unsigned char out[PORT_ROOM];
};

/* Opens the port with the name GUEST_PORT. 0, or -errno. */
int port_open(struct port *port);

/* Whether a frame of any size finds room now: who reads for the host asks first. */
int port_has_room(const struct port *port);

/* Queues a frame whose body is `first` and then `second`. Room is the caller's concern: -ENOBUFS when there is none.
 */
int port_send(struct port *port, unsigned type, uint32_t id, const void *first, size_t first_length,
              const void *second, size_t second_length);

/* Writes what the host takes now. */
void port_flush(struct port *port);

/* Reads what is there. Bytes, 0 when the host is not there, or -errno. */
long port_fill(struct port *port);

/* The next whole frame: 1, 0 when there is none, -EPROTO. It is valid until port_fill. */
int port_next(struct port *port, struct frame *frame);

#endif
